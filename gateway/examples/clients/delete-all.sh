# The token and the secret key are in JOBS_DELETE_TOKEN and JOBS_DELETE_SECRET_KEY.
printf 'id\nDEMO0100\nDEMO0101\n' > expired.csv
jobs-delete delete expired.csv --base-url "$JOBS_DELETE_URL" --origin https://acme.example \
  --sandbox --report report.csv
