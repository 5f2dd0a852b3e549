#!/bin/sh
# Turns a copy of the checkout into what runs in production, in place: built, and nothing else left.
set -eu
cd "$(dirname "$0")/.."
if [ -e .git ]; then
  echo 'build-tree.sh removes sources and history: run it in a copy of the checkout that has no .git' >&2
  exit 2
fi
programs='runtime proto accounts gateway deleter-service cli'

npm ci --ignore-scripts --no-audit
# Before the build, so that no program can need a file of the tests.
find $programs -name node_modules -prune -o \
  \( -name testing -o -name contract -o -name '*.spec.ts' -o -name '*.contract*.ts' -o -name '*.fixture.ts' -o -name 'test-*.ts' \) \
  -prune -exec rm -r {} +
node_modules/.bin/tsc -b $programs
npm prune --omit=dev --ignore-scripts --no-audit
# The client is for callers.
rm node_modules/@jobs-delete/client

find $programs -name node_modules -prune -o \
  \( -name src -o -name 'tsconfig.json' -o -name '*.tsbuildinfo' -o -name '*.map' -o -name '*.d.ts' \) \
  -prune -exec rm -r {} +
for entry in * .[!.]*; do
  case " $programs LICENSE README.md package.json package-lock.json node_modules " in
    *" $entry "*) ;;
    *) rm -rf "$entry" ;;
  esac
done
# Whoever built it, and under whatever umask: the programs run as somebody else.
chmod -R a+rX .
