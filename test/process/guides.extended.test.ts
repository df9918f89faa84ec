import { afterAll, beforeAll, test } from 'vitest'
import { type MailServer, startMailServer } from '../database/notifications-mail-server.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { canRunGuides } from '../support/guide.ts'
import { patience } from '../support/patience.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { type SampleSite, startSampleSite } from '../support/sample-servers.ts'
import { type Guide, runOnPlatform, secretOfGuides } from './guide-runs.ts'

let site: SampleSite
let mail: MailServer
let platform: PlatformInProcess
beforeAll(async () => {
  site = await startSampleSite()
  mail = await startMailServer()
  platform = await openPlatform({
    TUTTI_SECRET: secretOfGuides,
    TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
    TUTTI_SMTP_URL: mail.url,
    TUTTI_MAIL_FROM: 'Tutti <tutti@example.com>',
    TUTTI_SLACK_WEBHOOK_URL: `${site.url}/slack`,
  })
})
afterAll(async () => {
  await platform?.[Symbol.asyncDispose]()
  await mail?.[Symbol.asyncDispose]()
  await site?.[Symbol.asyncDispose]()
})

/** What a reader types where a command asks for a password. */
const typed = '<<< "a password that a reader types"\n'

/** In place of the reader's browser: signs in, allows the application, and reads the code from the address. */
const browser = `
browse() { command curl --silent --show-error --location --cookie jar --cookie-jar jar "$@"; }
browse -o session.json -H 'Content-Type: application/json' $TUTTI_URL/user/login \\
  -d '{"username": "admin", "password": "xxxxx-xxxxx-xxxxx-xxxxx"}'
FORM=$(browse "$AUTHORIZE_URL" | grep -o '/oauth/consent/[^"/]*' | head -1)
CODE=$(browse -o /dev/null -w '%{url_effective}' $TUTTI_URL$FORM -d decision=approve -d csrf_token=$(jq -r .csrf_token session.json) \\
  | grep -o 'code=[^&]*' | cut -d= -f2)
`

const guides: readonly Guide[] = [
  { name: 'agents', prints: ['"agent_id":', '"id": "kind_and_clear"'] },
  {
    name: 'authentication',
    replace: () => ({
      '--email clara@example.org\n': `--email clara@example.org ${typed}`,
      'user password clara\n': `user password clara ${typed}`,
    }),
    prints: [
      /^clara +professional +never +active +author$/m,
      '"username":"clara","email":"clara@example.org"',
      '"requests_per_minute":120',
      '"via":"terminal","distrusts_old":true',
    ],
  },
  {
    name: 'backup',
    replace: () => ({ 'TUTTI_DATA_DIR=': 'DATABASE_URL= TUTTI_DATA_DIR=' }),
    prints: [
      /^tutti-monday\.tar: \d+ tables/m,
      'Verified: restored into a scratch database, and every table is equal.',
      /^Restored \d+ tables with \d+ rows\.$/m,
    ],
  },
  { name: 'flow-expressions', prints: ['5.5'] },
  {
    name: 'health',
    prints: ['"overallScore":', '"interval_seconds":60', '"state":"identified"', '"message":"Recorded."'],
  },
  {
    name: 'human-steps',
    // An event that comes before the step waits is kept for it.
    prints: [/"matched":[01]\b/, 'Confirm the payment of 12.', '"kind": "human"', /^answered$/m],
  },
  { name: 'mcp', prints: ['"jsonrpc":"2.0"', '"allow_flows":true'] },
  {
    name: 'notifications',
    replace: () => ({
      'smtp://user:password@mail.example.com:587': mail.url,
      'https://hooks.slack.com/services/…': `${site.url}/slack`,
    }),
    prints: ['✓ Mail server 127.0.0.1:', '{"delivered":true,"problem":null}\n[]'],
    inspect: () =>
      eventually(() =>
        ['ops@example.com', 'nora@example.com'].every((address) =>
          mail.mails.some(({ to }) => to.includes(address)),
        ),
      ),
  },
  {
    name: 'oauth',
    replace: () => ({ 'CODE=4LVVUqzPScBTaQ8gKq_4fxyruUZ_umnt5eqY1XFEHLQ\n': browser }),
    prints: [
      '"scope":"models.read workflows.run","refresh_token"',
      '"id":"builtin:text"',
      '{"active":false}',
      '"scope":"models.read"}',
    ],
  },
  {
    name: 'operations',
    replace: () => ({ '/backups/': '' }),
    prints: [
      /^\["TUTTI_EXECUTION_RETENTION","default",/m,
      'Verified: restored into a scratch database, and every table is equal.',
    ],
  },
  {
    name: 'run-flows',
    prints: [
      'agent_over_mcp  Agent over an MCP server',
      '"steps_executed":4,"steps_skipped":1',
      'event: execution_completed',
      '{"items_total":3,"items_succeeded":3,"items_failed":0}\n"Needs attention: Its tone is negative.',
      '0\n"EXECUTION_NOT_RUNNING"',
      '"webhook_configured":true,"progress_notifications":true',
      '"code":"PROVIDER_UNAVAILABLE","message":"The model \\"no-such-model\\" was not found.',
      'two_steps: updated, revision 1 → 2',
      /"queued"\nevent: execution_completed\ndata: .*"status":"completed"/,
      '["measure","review"]\n{"passed":true',
    ],
  },
  {
    name: 'secrets',
    replace: () => ({
      'https://api.shop.example/me': `${site.url}/tea`,
      '*.shop.example': `http://${site.host}`,
    }),
    prints: [
      '{"name":"github","allowed_hosts":["api.github.com"]',
      '"kind":"api_key"',
      '"status":200',
      /^3\n\[\]$/m,
    ],
  },
  {
    name: 'tours',
    prints: [
      '"tour":{"id":"getting_started"',
      '"origin":"https://staging.shop.example"',
      '"label":"Ihre Liste"',
      '"attribute":"role"',
      'welcome.zip is a sound recipe: Getting started (6 steps)',
      /^getting_started_3 is imported as a draft with 6 steps/m,
    ],
  },
  {
    name: 'triggers',
    prints: [
      '"success":true,"execution_id"',
      '"success":true,"event_id"',
      '"started": 1',
      '"outcome": "started"',
    ],
  },
  {
    name: 'webhooks',
    async replace() {
      const port = String(await findFreePort())
      return { '127.0.0.1:8080': `127.0.0.1:${port}`, 'process.env.PORT ?? 8080': port }
    },
    prints: ['listening on ', '"delivered"\n204', '"redelivered":'],
  },
]

test.skipIf(!canRunGuides).each(guides)(
  'the commands of the guide $name work in their order',
  { timeout: 400_000 * patience },
  async (guide) => {
    await runOnPlatform(guide, platform, { '127.0.0.1:8080': site.host })
  },
)
