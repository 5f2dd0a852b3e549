curl --silent --show-error --request DELETE "$JOBS_DELETE_URL/v1-sandbox/json/jobs-delete" \
  --header "Authorization: Bearer $JOBS_DELETE_TOKEN" \
  --header "Usersecretkey: $JOBS_DELETE_SECRET_KEY" \
  --header "Origin: $JOBS_DELETE_ORIGIN" \
  --header "Content-Type: application/json" \
  --header "Accept-Language: en" \
  --header "User-Agent: my-shop/1.0" \
  --header "X-Client-Lang: Shell" \
  --data '{"jobs": {"job": [{"id": "DEMO0100"}, {"id": "DEMO0101"}]}}'
