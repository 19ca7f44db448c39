#!/bin/sh
# make_repo.sh FOLDER KIND...: a git repository of the tiny engine, one commit a KIND, each tagged
# c1, c2, … . Kinds: ok (a change that changes nothing), slower, faster, weaker, stronger, crash,
# random (moves by lot), broken (does not compile), mended (compiles again), fixed (as at the
# beginning). What a commit changes stays changed.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
folder=$1
shift
mkdir -p "$folder/src"
cd "$folder"
export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null
export GIT_AUTHOR_NAME=test GIT_AUTHOR_EMAIL=test@example.org
export GIT_COMMITTER_NAME=test GIT_COMMITTER_EMAIL=test@example.org
cp "$here/engine.c" "$here/Makefile" src/
git init --quiet --initial-branch=main .
printf 'engine\n' > .gitignore
reset() { depth=2 waste=0 crash=0 random=0 broken= rounds=20; }
reset
n=0
for kind in "$@"; do
  n=$((n + 1))
  case $kind in
    ok) ;;
    slower) waste=1500 ;;
    faster) waste=0 ;;
    weaker) depth=1 ;;
    stronger) depth=3 ;;
    crash) crash=2 ;;
    random) random=1 ;;
    broken) broken='#error this version does not compile' ;;
    mended) broken= ;;
    fixed) reset ;;
    *) echo "make_repo.sh: no kind '$kind'" >&2; exit 2 ;;
  esac
  printf '%s\n' "/* commit $n: $kind */" "#define DEPTH $depth" "#define WASTE $waste" \
    "#define CRASH_AT_PLY $crash" "#define BENCH_ROUNDS $rounds" "#define RANDOM $random" "$broken" > src/traits.h
  git add -A
  export GIT_AUTHOR_DATE="2026-01-01T00:00:$(printf %02d $n)Z"
  export GIT_COMMITTER_DATE=$GIT_AUTHOR_DATE
  git commit --quiet -m "Commit $n: $kind"
  git tag "c$n"
done
