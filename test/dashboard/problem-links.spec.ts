import { expect, test } from '@jest/globals';
import { problemUrl } from '@jobs-delete/dashboard/activity/refusals';
import { problemTable } from '@jobs-delete/gateway/messages/problems';

test('the dashboard links each code to the page of the gateway about it', () => {
  const links = problemTable.map(({ code }) => problemUrl('https://api.example.com', code));
  expect(links).toEqual(problemTable.map(({ name }) => `https://api.example.com/problems/${name}`));
});
