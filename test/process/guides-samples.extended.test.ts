import { expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { canRunGuides } from '../support/guide.ts'
import { patience } from '../support/patience.ts'
import { openPlatform } from '../support/platform.ts'
import { startSampleModel, startSampleSite } from '../support/sample-servers.ts'
import { runOnPlatform, secretOfGuides } from './guide-runs.ts'

test.skipIf(!canRunGuides)(
  'the commands of the guide build-flows work in their order',
  { timeout: 400_000 * patience },
  async () => {
    await using site = await startSampleSite()
    await using model = await startSampleModel()
    await using platform = await openPlatform({
      CLUSTER_NODES: model.url,
      HEALTH_CHECK_INTERVAL: '100ms',
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_SECRET: secretOfGuides,
    })
    await eventually(async () => (await platform.models.findModel('auto'))?.provider === 'ollama')
    await runOnPlatform(
      {
        name: 'build-flows',
        replace: () => ({
          'https://www.example.org': site.url,
          'https://reports.example.org': site.url,
          'reports.example.org': `http://${site.host}`,
        }),
        prints: [
          /^Forgot your password\?,German: Forgot your password\?\r?$/m,
          /^ask_our_site: created, revision 1$/m,
          '80 degrees',
          /^answered$/m,
          /^report_api$/m,
          /^sales_report: created, revision 1$/m,
          'report-1',
        ],
      },
      platform,
    )
    const report = site.requests.find(({ path }) => path === '/reports')
    expect(JSON.parse(report?.body ?? '')).toMatchObject({
      total: 140,
      rows: [{ customer: 'Alpha Ltd', region: 'North', orders: 2, total: 140 }],
    })
  },
)
