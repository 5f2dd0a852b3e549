curl --silent --show-error --request DELETE "$JOBS_DELETE_URL/v1-sandbox/xml/jobs-delete" \
  --header "Authorization: Bearer $JOBS_DELETE_TOKEN" \
  --header "Usersecretkey: $JOBS_DELETE_SECRET_KEY" \
  --header "Origin: $JOBS_DELETE_ORIGIN" \
  --header "Content-Type: application/xml" \
  --header "Accept-Language: en" \
  --header "User-Agent: my-shop/1.0" \
  --header "X-Client-Lang: Shell" \
  --data '<?xml version="1.0" encoding="UTF-8"?>
<jobs><job><id>DEMO0100</id></job><job><id>DEMO0101</id></job></jobs>'
