#!/usr/bin/env bash
# Copies a million typed rows through columns, a database and messages, and back with nothing lost; reports a bad row with
# its place; then reads the rows as Python objects, and serves them over HTTP.
#   demo.sh DEMAT PYTHON [ROWS]
set -euo pipefail

demat=$1
python=$2
rows=${3:-1000000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
shape='Trip{id:int #sql:key, at:instant, line:text, fare:decimal, delay:float?, note:text?}'

say() { printf '\n%s\n' "$*"; }
now() { date +%s%N; }
indented() { sed 's/^/  /'; }

# copy FROM TO [OPTION …]: copies one place to another and says how fast.
copy() {
  local from=$work/$1 to=$work/$2 start end bytes
  shift 2
  start=$(now)
  "$demat" copy "$from" "$to" "$@"
  end=$(now)
  bytes=$(stat -c %s "${from%#*}")
  awk -v from="${from##*/}" -v to="${to##*/}" -v bytes="$bytes" -v ns=$((end - start)) -v rows="$rows" 'BEGIN {
    printf "  %-18s -> %-18s %7.1f MB in %5.0f ms  %6.0f MB/s  %5.1f M rows/s\n",
      from, to, bytes / 1e6, ns / 1e6, bytes * 1e3 / ns, rows * 1e3 / ns }'
}

say "A table of $rows trips (made by awk): times, money, empty cells, and empty text in quotes:"
awk -v n="$rows" 'BEGIN {
  print "id,at,line,fare,delay,note"
  for (i = 1; i <= n; i++)
    printf "%d,2026-01-%02dT%02d:%02d:%02dZ,U%d,%d.%02d,%s,%s\n", i, 1 + i * 2 / 86400 % 28, i * 2 / 3600 % 24,
      i * 2 / 60 % 60, i * 2 % 60, i % 9 + 1, i % 7 + 1, i * 10 % 100, (i % 3 ? "" : i % 40 / 4 + 0.125),
      (i % 5 ? "" : (i % 10 ? "\"\"" : "\"late, \"\"again\"\"\"")) }' > "$work/trips.csv"
stat -c '  %s bytes' "$work/trips.csv"
head -n 4 "$work/trips.csv" | indented

say "What is in it, as far as it shows; and what we say it is:"
"$demat" schema "$work/trips.csv" --infer | indented
echo "  $shape"

say "Typed, streaming, with no object in between: columns, a database, messages, lines, and a table again:"
copy trips.csv trips.parquet --shape "$shape"
copy trips.parquet trips.db#trips --shape "$shape"
copy trips.db#trips trips.pb --shape "[$shape]"
copy trips.pb trips.ndjson.zst --shape "[$shape]"
copy trips.ndjson.zst back.csv --shape "$shape"

say "And nothing was lost:"
cmp "$work/trips.csv" "$work/back.csv"
echo "  trips.csv and back.csv are the same to the byte."

say "A bad row is told with its place:"
printf 'id,at,line,fare\n1,2026-01-01T00:00:00Z,U1,2.10\n2,2026-01-01T00:00:02Z,U2,free\n' > "$work/bad.csv"
"$demat" copy "$work/bad.csv" - --shape 'id:int, at:instant, line:text, fare:decimal' 2>&1 | indented || true
say "… or left out and kept for later:"
"$demat" copy "$work/bad.csv" - --shape 'id:int, at:instant, line:text, fare:decimal' \
  --on-error skip --rejects "$work/rejects.ndjson" 2>/dev/null | indented || true
sed 's/^/  rejected: /' "$work/rejects.ndjson"

"$python" "$(dirname "$0")/demo.py" "$work"
