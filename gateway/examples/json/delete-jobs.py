import json
import os
from urllib.error import HTTPError
from urllib.request import Request, urlopen

job_ids = ["DEMO0100", "DEMO0101"]
body = json.dumps({"jobs": {"job": [{"id": job_id} for job_id in job_ids]}})

request = Request(
    os.environ["JOBS_DELETE_URL"] + "/v1-sandbox/json/jobs-delete",
    method="DELETE",
    data=body.encode("utf-8"),
    headers={
        "Authorization": "Bearer " + os.environ["JOBS_DELETE_TOKEN"],
        "Usersecretkey": os.environ["JOBS_DELETE_SECRET_KEY"],
        "Origin": os.environ["JOBS_DELETE_ORIGIN"],
        "Content-Type": "application/json",
        "Accept-Language": "en",
        "User-Agent": "my-shop/1.0",
        "X-Client-Lang": "Python",
    },
)
try:
    with urlopen(request) as response:
        print(response.read().decode("utf-8"))
except HTTPError as refusal:
    print(refusal.read().decode("utf-8"))
