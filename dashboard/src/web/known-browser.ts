import { createHmac } from 'node:crypto';

const maxPeople = 4;

/** Returns the mark of a browser that has signed in as a person. Another browser's secret gives another mark. */
export function browserMark(key: Buffer, browserSecret: string, email: string): string {
  return createHmac('sha256', key).update(`${browserSecret} ${email}`).digest('base64url').slice(0, 22);
}

export function hasMark(marks: string, mark: string): boolean {
  return marks.split('.').includes(mark);
}

/** Keeps the marks of the last four people. */
export function addMark(marks: string, mark: string): string {
  const others = marks.split('.').filter((other) => /^[\w-]{22}$/.test(other) && other !== mark);
  return [mark, ...others].slice(0, maxPeople).join('.');
}
