import { expect, test } from 'vitest'
import { channelProblems } from './answer-channels.ts'

const all = { mail: true, slack: true, links: true }
const emails = ['zoe@example.com']

test.each([
  [{}, { ...all, mail: false, slack: false, links: false }, []],
  [{ notify: { email: true, slack_channel: '#a' }, assignees: { emails } }, all, []],
  [{ notify: { email: true } }, { ...all, mail: false }, ['mail_not_configured']],
  [{ notify: { slack_channel: '#a' } }, { ...all, slack: false }, ['slack_not_configured']],
  [{ assignees: { emails } }, all, ['answer_links_not_sent']],
  [
    { notify: { email: true }, assignees: { emails } },
    { ...all, links: false },
    ['answer_links_unavailable'],
  ],
  // Without mail there is nothing that could have a link.
  [
    { notify: { email: true }, assignees: { emails } },
    { ...all, mail: false, links: false },
    ['mail_not_configured'],
  ],
  [{ notify: { email: true }, assignees: { roles: ['author'] } }, { ...all, links: false }, []],
])('a human step with %j and the channels %j has the warnings %j', (step, channels, codes) => {
  expect(channelProblems(step, channels).map(({ code }) => code)).toEqual(codes)
})
