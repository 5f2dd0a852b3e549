# The same key with each attempt: the jobs are deleted once.
key="expired-jobs-$(date +%s)-$$"
answer=$(mktemp)

# curl retries 429, 5xx and lost connections. It waits as Retry-After says, else 1, 2, 4, … seconds.
status=$(curl --silent --show-error --request DELETE "$JOBS_DELETE_URL/v1-sandbox/xml/jobs-delete" \
  --retry 5 --retry-all-errors --max-time 60 \
  --header "Idempotency-Key: $key" \
  --header "Authorization: Bearer $JOBS_DELETE_TOKEN" \
  --header "Usersecretkey: $JOBS_DELETE_SECRET_KEY" \
  --header "Origin: $JOBS_DELETE_ORIGIN" \
  --header "Content-Type: application/xml" \
  --header "Accept-Language: en" \
  --header "User-Agent: my-shop/1.0" \
  --header "X-Client-Lang: Shell" \
  --data '<?xml version="1.0" encoding="UTF-8"?>
<jobs><job><id>DEMO0100</id></job><job><id>DEMO0101</id></job></jobs>' \
  --output "$answer" --write-out '%{http_code}')

cat "$answer"
[ "$status" = 200 ]
