import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { parse } from 'yaml'
import { clockWarningMs } from '../../src/kernel/database/clock.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'

const read = (file: string) => readFile(new URL(`../../deploy/monitoring/${file}`, import.meta.url), 'utf8')

interface Rule {
  readonly alert: string
  readonly expr: string
  readonly labels: { readonly severity: string }
  readonly annotations: { readonly summary: string; readonly description: string }
}
interface Panel {
  readonly id: number
  readonly type: string
  readonly title: string
  readonly gridPos: { readonly x: number; readonly y: number; readonly w: number; readonly h: number }
  readonly targets?: readonly { readonly expr: string }[]
}

const { groups } = parse(await read('alerts.yaml')) as { groups: { readonly rules: readonly Rule[] }[] }
const rules = groups.flatMap((group) => group.rules)
const dashboard = JSON.parse(await read('grafana-dashboard.json')) as {
  readonly panels: readonly Panel[]
  readonly templating: { readonly list: readonly { readonly name: string; readonly query: string }[] }
}
const targets = dashboard.panels.flatMap(({ title, targets: of = [] }) =>
  of.map(({ expr }) => [title, expr] as const),
)

let platform: PlatformInProcess
/** The label names of each metric in `/metrics`. */
const labelsOf = new Map<string, ReadonlySet<string>>()

beforeAll(async () => {
  platform = await openPlatform({}, { watchProcess: true })
  const text = await (await fetch(`${platform.metricsUrl}/metrics`)).text()
  for (const [, name = ''] of text.matchAll(/^# TYPE (\S+) /gm)) {
    const metric = platform.metrics.registry.getSingleMetric(name) as unknown as { labelNames: string[] }
    labelsOf.set(name, new Set(metric.labelNames))
  }
})
afterAll(() => platform.close())

test.each([
  ...rules.map(({ alert, expr }) => [`the alert ${alert}`, expr] as const),
  ...targets.map(([title, expr]) => [`the panel "${title}"`, expr] as const),
  ...dashboard.templating.list
    .filter(({ query }) => query.includes('('))
    .map(({ name, query }) => [`the variable ${name}`, query] as const),
])('%s uses metrics and labels that the platform has', (_, expression) => {
  const used = [...expression.matchAll(/\b((?:tutti|gen_ai)_\w+)\s*(?:\{([^}]*)\})?/g)].filter(
    ([, name = '']) => !isLabel(name),
  )
  if (!expression.startsWith('up{')) expect(used).not.toEqual([])
  for (const [, name = '', selectors = ''] of used) {
    const base = labelsOf.has(name) ? name : name.replace(/_(?:bucket|sum|count)$/, '')
    const labels = labelsOf.get(base)
    expect([...labelsOf.keys()], name).toContain(base)
    const grouped = [...expression.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = '']) => list.split(','))
    const selected = selectors.split(/,(?=\w+[=!])/).map((selector) => /^\w*/.exec(selector)?.[0] ?? '')
    const unknown = [...grouped, ...selected]
      .map((label) => label.trim())
      .filter((label) => !['', 'le', 'instance', 'job'].includes(label) && !labels?.has(label))
    expect(unknown, `labels of ${name}`).toEqual([])
  }
})

function isLabel(name: string): boolean {
  return [...labelsOf.values()].some((labels) => labels.has(name))
}

test('every alert has a severity and says what has happened', () => {
  expect(rules.length).toBeGreaterThan(10)
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length)
  for (const { labels, annotations } of rules) {
    expect(['warning', 'critical']).toContain(labels.severity)
    expect(annotations.summary).toMatch(/^[A-Z].*\.$/)
    expect(annotations.description).not.toBe('')
  }
})

test('the guide to operations says what to do about every alert', async () => {
  const guide = await readFile(new URL('../../docs/guides/operations.md', import.meta.url), 'utf8')
  const [, table = ''] = /^\| alert \|.*\n((?:\|.*\n)+)/m.exec(guide) ?? []
  for (const { alert } of rules) expect(table).toContain(`\`${alert}\``)
})

test('the alert about clocks fires for a clock that is ahead or behind, from the difference that the log warns of', () => {
  const rule = rules.find(({ alert }) => alert === 'TuttiClockSkew')
  expect(rule?.expr).toBe(`max by (instance) (abs(tutti_clock_skew_seconds)) >= ${clockWarningMs / 1000}`)
})

test('the panels of the dashboard have distinct ids and do not overlap', () => {
  const { panels } = dashboard
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, index) => `${x + (index % w)}:${y + Math.floor(index / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBe(24)
})

test('the example for Prometheus loads the rules and names the job that they use', async () => {
  const config = parse(await read('prometheus.yml')) as {
    readonly rule_files: readonly string[]
    readonly scrape_configs: readonly { readonly job_name: string }[]
  }
  expect(config.rule_files).toEqual(['alerts.yaml'])
  expect(config.scrape_configs.map(({ job_name }) => job_name)).toEqual(['tutti'])
})
