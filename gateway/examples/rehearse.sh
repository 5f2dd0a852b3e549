demo() { node -p "require('./data/demo.json').$1"; }
call() {
  method=$1 path=$2
  shift 2
  curl --silent --show-error --include --request "$method" "$(demo base_url)$path" \
    --header "Authorization: Bearer $(demo token)" \
    --header "Usersecretkey: $(demo secret_key)" \
    --header "Origin: $(demo origin)" \
    --header "Accept-Language: en" \
    --header "User-Agent: rehearsal/1.0" \
    --header "X-Client-Lang: Shell" "$@"
}
delete_job() {
  job=$1
  shift
  call DELETE /v1/json/jobs-delete --header "Content-Type: application/json" \
    --data "{\"jobs\": {\"job\": [{\"id\": \"$job\"}]}}" "$@"
}
step() { printf '\n== %s\n' "$1"; }
deletion_id() { tr -d '\r' | sed -n 's/^Deletion-Id: //p'; }

step "A deletion has a Deletion-Id, and its status says when the job is gone"
key="rehearsal-$(date +%s)"
id=$(delete_job DEMO0301 --header "Idempotency-Key: $key" | deletion_id)
call GET "/v1/deletions/$id?wait=30"

step "The same request with the same key gets the first answer again"
delete_job DEMO0301 --header "Idempotency-Key: $key"

step "A repetition without the key is 404"
delete_job DEMO0301

step "With a delay, a deletion can be cancelled. The service reads the delay within 5 seconds"
npx jobs-delete accounts delay --account demo 1h
sleep 6
id=$(delete_job DEMO0302 | deletion_id)
call DELETE "/v1/deletions/$id"
npx jobs-delete accounts delay --account demo off
