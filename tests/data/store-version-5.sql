-- The store of a run of two pairs, as the assay of store version 5 wrote it. In pair 1 Black begins.
PRAGMA application_id = 1095979865;
PRAGMA user_version = 5;
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  plan TEXT NOT NULL,
  plan_hash TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('running', 'interrupted', 'finished', 'failed')),
  host TEXT NOT NULL,
  cpu TEXT NOT NULL,
  kernel TEXT NOT NULL,
  logical_cores INTEGER NOT NULL,
  physical_cores INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL,
  book_hashes TEXT NOT NULL,
  assay_version TEXT NOT NULL,
  command_line TEXT NOT NULL,
  started_us INTEGER NOT NULL,
  ended_us INTEGER NOT NULL,
  end_reason TEXT NOT NULL
, findings TEXT NOT NULL DEFAULT '') STRICT;
INSERT INTO runs VALUES(1,'m','{"at_end":[],"control":false,"failures_in_a_row":5,"matches":[{"adjudicate":{"draw":null,"flag_vs_bare_king_is_draw":true,"length":4,"resign":null},"affinity":false,"between":[0,1],"concurrency":0,"deterministic":true,"is_control":false,"name":"m","openings":{"book":"book.epd","order":"sequential","plies":null,"start":1},"pairs":2,"ponder":false,"require":{"crashes":null,"illegal_moves":null,"speed_percent":null,"time_losses":null},"stop":{"alpha":null,"batch":0,"beta":null,"e0":null,"e1":null,"minutes_us":null,"model":"normalized","preset":"","rule":"none","shape":"fast_fail"},"time":[{"byoyomi_periods":1,"byoyomi_us":0,"depth":0,"kind":"nodes","main_us":0,"margin_us":0,"move_time_us":0,"nodes":200,"periods":[],"stones":0,"wall_limit_us":60000000},{"byoyomi_periods":1,"byoyomi_us":0,"depth":0,"kind":"nodes","main_us":0,"margin_us":0,"move_time_us":0,"nodes":600,"periods":[],"stones":0,"wall_limit_us":60000000}],"variant":"chess"}],"name":"m","programs":[{"bench":null,"command":["/usr/games/player"],"dir":"","env":[],"git":null,"margin_us":null,"memory_bytes":0,"name":"a","options":[],"ping_before_go":false,"protocol":"uci","sandbox":[]},{"bench":null,"command":["/usr/games/player"],"dir":"","env":[],"git":null,"margin_us":null,"memory_bytes":0,"name":"b","options":[],"ping_before_go":false,"protocol":"uci","sandbox":[]}],"seed":3,"start_limit_us":10000000,"suite":null}','54a2af215bb8bd24cc3cea71c9013cc7452433c4973fbe7c8509d185df7aee6c','finished','vm','AMD EPYC','6.1.0',2,2,25276059648,'["e69351abec833aa87c1dfe300c3896a3794f29fb6a020f5013dde9692810d549"]','0.1.0','assay run m.yaml',1795915967598384,1795915967732998,'','{"gate":false,"exit_code":0}');
CREATE TABLE versions (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  program INTEGER NOT NULL,
  name TEXT NOT NULL,
  path TEXT NOT NULL,
  sha256 TEXT NOT NULL,
  id_name TEXT NOT NULL,
  id_author TEXT NOT NULL,
  files TEXT NOT NULL, origin TEXT NOT NULL DEFAULT '',
  PRIMARY KEY (run, program)
) STRICT, WITHOUT ROWID;
INSERT INTO versions VALUES(1,0,'a','/usr/games/player','44ebb9193a9c0ef0a09ac3d9a03e6928f38cdff8f57fc30e7a34b8458b1bb6bf','assay player','the assay authors','[]','');
INSERT INTO versions VALUES(1,1,'b','/usr/games/player','44ebb9193a9c0ef0a09ac3d9a03e6928f38cdff8f57fc30e7a34b8458b1bb6bf','assay player','the assay authors','[]','');
CREATE TABLE matches (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  delay_p50_us REAL NOT NULL,
  delay_p99_us REAL NOT NULL,
  delay_max_us REAL NOT NULL,
  cpu_us_per_ply REAL NOT NULL,
  wall_us INTEGER NOT NULL,
  voided INTEGER NOT NULL,
  PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;
INSERT INTO matches VALUES(1,0,11.02911825935816914,262.16111492869788434,263.0,170.75518750000003364,109859,0);
CREATE TABLE records (
  id INTEGER PRIMARY KEY,
  start TEXT NOT NULL,
  opening TEXT NOT NULL,
  moves BLOB NOT NULL,
  last_lines TEXT NOT NULL,
  last_command TEXT NOT NULL
) STRICT;
INSERT INTO records VALUES(1,'rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2','',X'0108c6370467316633e4020a0004068a0197fe670000c6370467386636fa0408000608b502add787010000c6370462316333cc01020004069101d98a91010000c6370462386336ec05060006089802fa99c2010000c6370463316634800202000406840180897a0000c6370463386635b4040800060ebf04e0b08c010000c6370465326533ca021e48020429c6da83010000c6370465376536e803e20339040cac02b79c9f010000c2965bdd','','');
INSERT INTO records VALUES(2,'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2','',X'0108c6370462386336e0422e55040ebb01e1c5540000c6370464326434d6071456020a32ccd4480000c6370466386234a0102a4f041ce2038aeb9a010000c6370462316333fe022e9001020a1dc5fa4c0000c6370462346333b2041e510418cb03bcf0a2010000c637046232633388021852040e54d09d770000c6370467386636d80316810104148f03cbcce3010000c6370466316433e40116820102129a01bcacb10100005fbec234','','');
INSERT INTO records VALUES(3,'rnbqkbnr/ppp1pppp/8/3p4/3P4/8/PPP1PPPP/RNBQKBNR w KQkq - 0 2','',X'0108c637046731663390048e045c0608cf02e3de9f010000c6370467386636c401025b04068a019db496010000c63704623163338a0484045606088e0298ffcd010000c6370462386336d20102550406960185947f0000c6370463316634b2040848060af202a9a7a1010000c6370463386635c20102470408b2019ef296010000c6370463336235fa02040c040aad02cce082020000c437046138633894010b020aa901c1f2d60100006b54c3af','','');
INSERT INTO records VALUES(4,'rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2','',X'0108c63704623863368e021a55040ebb01f0bc90010000c63704643264348c041808040ed901c5c2a1010000c6370467386636e8011807020c5da5d69d010000c6370464346435e2031826041ce503f7afc9010000c6370463366234f6011a25020c66b5f7ac010000c63704633263339404168201020426c4b4b2010000c6370462346136f4011665020e5bc38e96010000c63704663161369605146a0412a403d49184010000f6c90dc2','','');
CREATE TABLE games (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  game INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  programs TEXT NOT NULL,
  scores TEXT NOT NULL,
  termination TEXT NOT NULL,
  guilty INTEGER NOT NULL,
  plies INTEGER NOT NULL,
  used_us INTEGER NOT NULL,
  moves_hash INTEGER NOT NULL,
  opening_index INTEGER NOT NULL,
  harness_caused INTEGER NOT NULL,
  started_us INTEGER NOT NULL,
  ended_us INTEGER NOT NULL,
  slot INTEGER NOT NULL,
  record INTEGER NOT NULL,
  reason TEXT NOT NULL, machine INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (run, match, pair, game, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO games VALUES(1,0,0,0,0,'[0,1]','[0.5,0.5]','length',-1,8,6757,3312074976065528188,0,0,1795915967614567,1795915967708354,0,2,'draw by length limit',0);
INSERT INTO games VALUES(1,0,0,1,0,'[1,0]','[0.5,0.5]','length',-1,8,1596,6549360128905640583,0,0,1795915967708377,1795915967711829,0,4,'draw by length limit',0);
INSERT INTO games VALUES(1,0,1,0,0,'[0,1]','[0.5,0.5]','length',-1,8,1790,8648358937355642057,1,0,1795915967620431,1795915967706354,1,1,'draw by length limit',0);
INSERT INTO games VALUES(1,0,1,1,0,'[1,0]','[0.5,0.5]','length',-1,8,1369,-6131530830291519073,1,0,1795915967706397,1795915967709866,1,3,'draw by length limit',0);
CREATE TABLE pairs (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  pair INTEGER NOT NULL,
  attempt INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('counted', 'duplicate', 'after_stop', 'void')),
  opening_index INTEGER NOT NULL,
  PRIMARY KEY (run, match, pair, attempt)
) STRICT, WITHOUT ROWID;
INSERT INTO pairs VALUES(1,0,0,0,'counted',0);
INSERT INTO pairs VALUES(1,0,1,0,'counted',1);
CREATE TABLE searches (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  program INTEGER NOT NULL,
  position INTEGER NOT NULL,
  ended TEXT NOT NULL,
  reason TEXT NOT NULL,
  last_lines TEXT NOT NULL,
  best_move TEXT NOT NULL,
  iteration INTEGER NOT NULL,
  nodes INTEGER NOT NULL,
  all_nodes INTEGER NOT NULL,
  packed_bytes INTEGER NOT NULL,
  used_us INTEGER NOT NULL,
  started_us INTEGER NOT NULL,
  tree TEXT NOT NULL,
  PRIMARY KEY (run, program, position)
) STRICT, WITHOUT ROWID;
CREATE TABLE answers (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  program INTEGER NOT NULL,
  position INTEGER NOT NULL,
  expectation INTEGER NOT NULL,
  value REAL,
  trouble TEXT NOT NULL,
  nodes TEXT NOT NULL,
  PRIMARY KEY (run, program, position, expectation)
) STRICT, WITHOUT ROWID;
CREATE TABLE summaries (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  match INTEGER NOT NULL,
  summary TEXT NOT NULL,
  PRIMARY KEY (run, match)
) STRICT, WITHOUT ROWID;
INSERT INTO summaries VALUES(1,0,'{"pairs":2,"pentanomial":[0,0,2,0,0],"verdict":"","tainted":false,"failures":[0,0,0,0],"all_failures":[0,0,0,0],"nps":[7.95812E5,1.202958E6]}');
CREATE TABLE machines (
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE,
  machine INTEGER NOT NULL,
  host TEXT NOT NULL,
  cpu TEXT NOT NULL,
  kernel TEXT NOT NULL,
  logical_cores INTEGER NOT NULL,
  physical_cores INTEGER NOT NULL,
  memory_bytes INTEGER NOT NULL,
  PRIMARY KEY (run, machine)
) STRICT, WITHOUT ROWID;
DELETE FROM sqlite_sequence;
INSERT INTO sqlite_sequence VALUES('runs',1);
CREATE INDEX runs_by_name ON runs (name);
CREATE INDEX runs_by_plan ON runs (plan_hash);
