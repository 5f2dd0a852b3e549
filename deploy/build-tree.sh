#!/bin/sh
# Turns a checkout into what runs in production, in place: built, without sources, tests and development packages.
set -eu
cd "$(dirname "$0")/.."
npm ci --ignore-scripts --no-audit
npm run --silent build
npm prune --omit=dev --ignore-scripts --no-audit
find . -path ./node_modules -prune -o \( -name '*.spec.*' -o -name '*.contract*' -o -name '*.tsbuildinfo' -o -name '*.map' \) -type f -exec rm {} +
rm -rf test docs .git .ci runtime/src proto/src gateway/src deleter-service/src cli/src
