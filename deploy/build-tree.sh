#!/bin/sh
# Builds a copy of the checkout in place, and removes everything that production does not need.
set -eu
cd "$(dirname "$0")/.."
if [ -e .git ]; then
  echo 'build-tree.sh removes sources and history: run it in a copy of the checkout that has no .git' >&2
  exit 2
fi
programs='runtime proto accounts client gateway deleter-service dashboard cli'

npm ci --ignore-scripts --no-audit
# Removes the tests before the build, so no program can import them.
find $programs -name node_modules -prune -o \
  \( -name testing -o -name contract -o -name '*.spec.ts' -o -name '*.spec.tsx' -o -name '*.contract*.ts' -o -name '*.fixture.ts' -o -name 'test-*.ts' \) \
  -prune -exec rm -r {} +
node_modules/.bin/tsc -b $programs
npm prune --omit=dev --ignore-scripts --no-audit

find $programs -name node_modules -prune -o \
  \( -name src -o -name 'tsconfig.json' -o -name '*.tsbuildinfo' -o -name '*.map' -o -name '*.d.ts' -o -name README.md -o -path client/api -o -path client/LICENSE -o -path client/conformance -o -path client/python -o -path cli/caller -o -name typedoc.json \) \
  -prune -exec rm -r {} +
for entry in * .[!.]*; do
  case " $programs LICENSE README.md package.json package-lock.json node_modules " in
    *" $entry "*) ;;
    *) rm -rf "$entry" ;;
  esac
done
# The programs run as another user, so everybody may read them.
chmod -R a+rX .
