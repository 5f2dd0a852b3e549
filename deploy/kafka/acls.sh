#!/bin/sh
# Allows each process what it needs, and nothing else. docs/least-privilege.md describes the users.
#   BROKERS=kafka:9092 ADMIN_CONFIG=admin.properties PREFIX= deploy/kafka/acls.sh
# PREFIX is the `prefix` of EVENT_LOG_URL. The brokers need an authorizer, such as
# org.apache.kafka.metadata.authorizer.StandardAuthorizer.
set -eu

allow() {
  user=$1
  shift
  "${KAFKA_ACLS:-kafka-acls.sh}" --bootstrap-server "$BROKERS" --command-config "$ADMIN_CONFIG" \
    --add --allow-principal "User:$user" "$@"
}

accepted="${PREFIX:-}jobs.deletion-accepted.v1"
deleted="${PREFIX:-}jobs.deleted.v1"
cancelled="${PREFIX:-}jobs.deletion-cancelled.v1"
dead="${PREFIX:-}jobs.deletion-accepted.v1.dead-letter"
group="${PREFIX:-}jobs-delete.removal"
# Each reading of the dead letters has a group of its own.
readers="${PREFIX:-}jobs-delete.dead-letters."

for topic in "$accepted" "$deleted" "$cancelled" "$dead"; do
  allow jobs-delete-setup --operation Create --operation Describe --topic "$topic"
  allow jobs-delete-api --operation Describe --topic "$topic"
  allow jobs-delete-relay --operation Describe --topic "$topic"
  allow jobs-delete-worker --operation Describe --topic "$topic"
  allow jobs-delete-audit --operation Describe --topic "$topic"
done
for topic in "$accepted" "$cancelled"; do
  allow jobs-delete-api --operation Write --topic "$topic"
  allow jobs-delete-relay --operation Write --topic "$topic"
done
allow jobs-delete-worker --operation Read --topic "$accepted"
# Puts events back that it cannot process yet.
allow jobs-delete-worker --operation Write --topic "$accepted"
allow jobs-delete-worker --operation Write --topic "$deleted"
allow jobs-delete-worker --operation Write --topic "$dead"
allow jobs-delete-worker --operation Read --group "$group"
allow jobs-delete-audit --operation Read --topic "$dead"
allow jobs-delete-audit --operation Read --operation Delete --group "$readers" --resource-pattern-type prefixed
# Only the component `keda` of the manifests uses it.
allow jobs-delete-keda --operation Describe --topic "$accepted"
allow jobs-delete-keda --operation Describe --group "$group"
