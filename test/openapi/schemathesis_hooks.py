"""Gives the generated requests what no schema can state: the jobs, the origin and deletions of the test's account.

Only values that the schema allows are replaced. So an invalid value stays, and the gateway must refuse it.
"""

import atexit
import collections
import copy
import itertools
import json
import os
import re

import schemathesis

ORIGIN = os.environ["ORIGIN"]
DELETION_IDS = {"GET": os.environ["DELETION_ID"], "DELETE": os.environ["WAITING_DELETION_ID"]}
# Each job can be deleted once, and checked many times.
with open(os.environ["JOB_IDS"], encoding="utf-8") as file:
    JOBS = json.load(file)
TO_CHECK = JOBS[:1000]
TO_DELETE = iter(JOBS[1000:])
NUMBERS = itertools.count()
STATUSES = collections.defaultdict(set)

JOB_ID = re.compile(r"[A-Za-z0-9]{4,128}\Z")
WEB_ORIGIN = re.compile(r"https?://[^/?#@\s]+\Z")
KEY = re.compile(r"[!-~](?:[ -~]{0,253}[!-~])?\Z")
UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z")


@schemathesis.hook
def before_call(context, case, kwargs):
    headers = case.headers
    # Where a case has no User-Agent, Schemathesis would add its own.
    headers.setdefault("User-Agent", "")
    if WEB_ORIGIN.match(str(headers.get("Origin", ""))):
        headers["Origin"] = ORIGIN
    # A key belongs to the ids of its first request.
    if KEY.match(str(headers.get("Idempotency-Key", ""))):
        headers["Idempotency-Key"] = f"{headers['Idempotency-Key'][:200]}-{next(NUMBERS)}"
    deletion_id = (case.path_parameters or {}).get("Deletion-Id", "")
    if UUID.match(str(deletion_id)) and case.meta.phase.name.value != "stateful":
        case.path_parameters["Deletion-Id"] = DELETION_IDS.get(case.method.upper(), deletion_id)
    if has_only_job_ids(case.body):
        replace_job_ids(case)


@schemathesis.hook
def after_call(context, case, response):
    STATUSES[case.operation.label].add(response.status_code)


@atexit.register
def write_statuses():
    with open(os.environ["STATUSES"], "w", encoding="utf-8") as file:
        json.dump({label: sorted(statuses) for label, statuses in STATUSES.items()}, file)


def entries_of(body):
    """Returns the entries of `jobs.job`, or of `job` for XML, or nothing where the body has another form."""
    jobs = body.get("jobs", body) if isinstance(body, dict) else None
    entries = jobs.get("job") if isinstance(jobs, dict) else None
    return entries if isinstance(entries, list) else []


def has_only_job_ids(body):
    ids = [entry.get("id") if isinstance(entry, dict) else None for entry in entries_of(body)]
    return all(isinstance(id, str) and JOB_ID.match(id) for id in ids)


def replace_job_ids(case):
    jobs = iter(TO_CHECK) if "sandbox" in case.path else TO_DELETE
    # Schemathesis uses the same object in several cases.
    case.body = copy.deepcopy(case.body)
    for entry in entries_of(case.body):
        entry["id"] = next(jobs)
