import { type Sentence, sentence, type SentenceCode } from '../../messages/messages.ts';
import { decodeBody } from './read-body.ts';
import { createFaultList, malformed, type FaultList } from './fault-list.ts';
import type { JsonPath } from './scan-json.ts';
import { excerpt } from '../answer/echo.ts';
import { maxErrors } from '../answer/problem.ts';
import { isRefusal, type Detail, type Refusal } from '../answer/refusal.ts';
import { maxBodyDepth, type JobList } from './read-json-jobs.ts';
import { scanXml, type XmlVisitor } from './scan-xml.ts';

/**
 * Reads the ids of `<jobs><job><id>…</id></job>…</jobs>`, and does not check them. A `<job>` without an `<id>` gives
 * undefined. Refuses a body of another shape and names every such fault, up to `errorLimit`. Returns at most `maxJobs + 1` ids.
 */
export function readXmlJobs(
  body: Buffer,
  maxJobs: number,
  errorLimit = maxErrors,
): JobList<string | undefined> | Refusal {
  const text = decodeBody(body);
  if (isRefusal(text)) return text;
  const reader = new JobsReader(maxJobs, errorLimit);
  const stop = scanXml(text, maxBodyDepth, reader);
  return stop === undefined ? reader.result() : malformed(reader.path(), explainStop(text, stop));
}

function explainStop(text: string, stop: Sentence): Detail {
  if (stop.code !== 'xml_syntax') return [stop];
  return /^\ufeff?\s*[{[]/.test(text) ? [sentence('body_is_json')] : [stop, sentence('xml_correct')];
}

/** Outside the root, or the innermost open element that counts. */
type Place = 'outside' | 'jobs' | 'job' | 'id';

class JobsReader implements XmlVisitor {
  readonly #maxJobs: number;
  readonly #ids: (string | undefined)[] = [];
  readonly #faults: FaultList;
  #place: Place = 'outside';
  /** How many ignored elements are open. */
  #ignored = 0;
  #jobs = 0;
  /** The text of the open `<id>`. */
  #id = '';
  #idRead = false;

  constructor(maxJobs: number, errorLimit: number) {
    this.#maxJobs = maxJobs;
    this.#faults = createFaultList(errorLimit);
  }

  open(name: string): void {
    if (this.#ignored > 0) {
      this.#ignored++;
    } else if (this.#place === 'outside' && name === 'jobs') {
      this.#place = 'jobs';
    } else if (this.#place === 'jobs' && name === 'job') {
      this.#place = 'job';
      this.#idRead = false;
      if (this.#jobs++ <= this.#maxJobs) this.#ids.push(undefined);
    } else if (this.#place === 'job' && name === 'id' && !this.#idRead) {
      this.#place = 'id';
      this.#idRead = true;
      this.#id = '';
    } else {
      if (this.#place === 'outside') this.#refuseRoot(name);
      if (this.#place === 'job' && name === 'id') this.#refuse([...this.path(), 'id'], 'xml_id_repeated');
      if (this.#place === 'id') this.#refuse(this.path(), 'xml_id_split');
      this.#ignored = 1;
    }
  }

  close(): void {
    if (this.#ignored > 0) {
      this.#ignored--;
    } else if (this.#place === 'id') {
      if (this.#jobs <= this.#ids.length) this.#ids[this.#jobs - 1] = trimSpace(this.#id);
      this.#place = 'job';
    } else if (this.#place === 'job') {
      this.#place = 'jobs';
    } else {
      if (this.#jobs === 0) this.#refuse(['jobs', 'job'], 'xml_no_job', 'xml_form');
      this.#place = 'outside';
    }
  }

  text(text: string): void {
    if (this.#ignored > 0) return;
    if (this.#place === 'id') this.#id += text;
    else if (/[^ \t\r\n]/.test(text)) this.#refuse(this.path(), 'xml_text_outside_id');
  }

  comment(): void {
    if (this.#place === 'id') this.#refuse(this.path(), 'xml_id_split');
  }

  /** The path of the innermost element that is not ignored, in the JSON form. */
  path(): JsonPath {
    const job = ['jobs', 'job', this.#jobs - 1] as const;
    switch (this.#place) {
      case 'outside':
        return [];
      case 'jobs':
        return ['jobs'];
      case 'job':
        return job;
      case 'id':
        return [...job, 'id'];
    }
  }

  result(): JobList<string | undefined> | Refusal {
    return this.#faults.refusal() ?? { ids: this.#ids, count: this.#jobs };
  }

  #refuseRoot(name: string): void {
    this.#faults.addMalformed(['jobs'], () => [
      sentence('xml_root', { name: excerpt(name) }),
      sentence('xml_form'),
    ]);
  }

  #refuse(path: JsonPath, ...codes: SentenceCode[]): void {
    this.#faults.addMalformed(path, () => codes.map((code) => sentence(code)));
  }
}

/** Removes the white space of XML. `String.trim` removes more. Outside the text, charCodeAt gives NaN. */
function trimSpace(text: string): string {
  let start = 0;
  let end = text.length;
  while (isSpace(text.charCodeAt(start))) start++;
  while (isSpace(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x09 || code === 0x0a || code === 0x0d;
}
