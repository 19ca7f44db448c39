#include "configs/dropin/runner_help.h"

namespace assay::configs::dropin {

std::string_view fastchess_help() {
    return R"(assay with the command line of fastchess

  -engine KEY=VALUE...      an engine; given twice or more often
  -each KEY=VALUE...        the same for all engines, above what they say themselves
      cmd=FILE name=NAME dir=FOLDER args="A B" proto=uci restart=on|off
      tc=[MOVES/][MIN:]SEC[+INC] | tc=inf, st=SEC, nodes=N, depth=N, timemargin=MS
      option.NAME=VALUE
  -tournament roundrobin|gauntlet
                            all meet all, or the first meet the others
  -seeds N                  engines of a gauntlet that meet all others (1)
  -rounds N                 openings that each two engines play (2)
  -games 1|2                games of an opening (2), with sides swapped in the second
  -repeat                   the same as -games 2
  -noswap, -reverse         sides are not swapped; the second engine begins
  -concurrency N            games at once (1); 0 or less: processors less so many
  -force-concurrency        more games than processors
  -openings file=FILE format=epd|pgn order=random|sequential plies=N start=N
  -srand N                  seed of the order
  -variant standard|fischerandom
  -draw movenumber=N movecount=N score=CP
  -resign movecount=N score=CP twosided=true|false
  -maxmoves N               a draw after so many moves
  -sprt elo0=X elo1=Y alpha=A beta=B model=normalized|logistic|bayesian
  -recover                  a crash or a stall loses its game, and the match goes on
  -pgnout file=FILE append=true|false notation=san|lan|uci nodes=true seldepth=true nps=true
          hashfull=true tbhits=true timeleft=true latency=true pv=true min=true match_line=REGEX
  -epdout file=FILE append=true|false
  -event NAME, -site NAME   tags of the PGN
  -crc32 pgn=true           tells the CRC-32 of the PGN after each game
  -ratinginterval N         results after every so many pairs (10), or games with -games 1;
                            0: at the end
  -scoreinterval N          the score after every so many games (1), with -output format=cutechess
  -report penta=true|false  pairs or games
  -output format=fastchess|cutechess
  -autosaveinterval N       the file of results after every so many games (20); 0: at the end
  -config file=FILE outname=FILE discard=true stats=false
                            goes on with a file of results; the name of the one to write
  -quick cmd=A cmd=B book=FILE
  -tb FOLDERS -tbpieces N -tbignore50 -tbadjudicate WIN_LOSS|DRAW|BOTH
                            ends games by Syzygy's tables
  -wait MS                  between two games in the same place
  -log file=FILE level=trace|info|warn|err append=true|false engine=true|false
  -use-affinity [LIST]      binds each game to a processor, of the list
  -check-mate-pvs           checks that lines with a mate score end in mate
  -testEnv                  warnings on one line
  -strict                   ends at the first warning, with exit code 1
  -startup-ms, -ucinewgame-ms, -ping-ms N
  -version, -help
  --compliance ENGINE [ARG...]   checks that the engine keeps the protocol

Not available: -log compress=true, -sprt with more than two engines.
'assay match --help' tells what assay adds: --db, --resume, --events, --log.)";
}

std::string_view cutechess_help() {
    return R"(assay with the command line of cutechess-cli

  -engine KEY=VALUE...      an engine; given twice or more often
  -each KEY=VALUE...        the same for all engines
      conf=NAME name=NAME cmd=FILE dir=FOLDER arg=WORD proto=uci|xboard
      tc=[MOVES/][MIN:]SEC[+INC] | tc=inf | tc=hgSEC, st=SEC, nodes=N, depth=N, timemargin=MS
      ponder restart=auto|on|off option.NAME=VALUE
  -tournament round-robin|gauntlet|knockout|pyramid
  -seeds N                  engines of a knockout that keep apart for as long as they can (0)
  -games N                  games of an encounter (1)
  -rounds N                 encounters of each two engines (1); not of a knockout
  -repeat [N]               games of one opening (2)
  -noswap, -reverse         sides are not swapped; the second engine begins
  -concurrency N            games at once (1)
  -openings file=FILE format=pgn|epd order=sequential|random plies=N start=N
      policy=default|encounter|round
  -srand N, -variant standard|fischerandom
  -draw movenumber=N movecount=N score=CP
  -resign movecount=N score=CP twosided=true|false
  -maxmoves N               a draw after so many moves
  -sprt elo0=X elo1=Y alpha=A beta=B
  -recover                  a crash or a stall loses its game, and the match goes on
  -pgnout FILE [min] [fi], -epdout FILE
  -event NAME, -site NAME   tags of the PGN
  -ratinginterval N         ratings after every so many games (0: at the end)
  -outcomeinterval N        outcomes after every so many games (0: at the end)
  -resultformat NAMES       columns of the ranking
  -tb FOLDERS, -tbpieces N, -tbignore50
                            ends games by Syzygy's tables
  -wait MS                  between two games in the same place
  -debug [all]              what engines are told and say
  -version, -help, -engines

Not available: -sprt with more than two engines, books of an engine.
'assay match --help' tells what assay adds: --db, --resume, --events, --log.)";
}

}  // namespace assay::configs::dropin
