import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv } from 'ajv'
import type { Deployment } from 'kubernetes-types/apps/v1.d.ts'
import type { Container, Secret } from 'kubernetes-types/core/v1.d.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { findHelm, runHelm as runHelmCommand } from '../../scripts/release/helm.ts'
import { version } from '../../src/app/version.ts'
import { quickFolder } from '../support/quick-folder.ts'

const run = promisify(execFile)
const root = new URL('../../', import.meta.url).pathname
const chart = join(root, 'deploy/helm/tutti')
const examples = ['minimal', 'production', 'small'] as const
type Example = (typeof examples)[number]

const helm = await findHelm(root)
const runHelm = (...args: string[]) => runHelmCommand(helm ?? [], ...args)

const valuesOf = (example: Example) => join(chart, `ci/${example}-values.yaml`)

/** What the tests read of any object in Kubernetes. */
interface Rendered {
  readonly apiVersion: string
  readonly kind: string
  readonly metadata: { readonly name: string; readonly labels: Readonly<Record<string, string>> }
  readonly spec?: Readonly<Record<string, unknown>>
}

async function render(example: Example, ...args: string[]): Promise<readonly Rendered[]> {
  const text = await runHelm(
    'template',
    'trial',
    chart,
    '--namespace=ai',
    '--kube-version=1.30.0',
    `--values=${valuesOf(example)}`,
    ...args,
  )
  return parseAllDocuments(text)
    .map((document) => document.toJS() as Rendered | null)
    .filter((rendered) => rendered !== null)
}

describe('values', () => {
  test('the schema accepts the defaults and the examples, and names what is wrong', async () => {
    const validate = new Ajv({ allowUnionTypes: true, strictTypes: false }).compile(
      JSON.parse(await readFile(join(chart, 'values.schema.json'), 'utf8')) as object,
    )
    const files = [join(chart, 'values.yaml'), ...examples.map(valuesOf)]
    for (const file of files) {
      expect({ file, valid: validate(parse(await readFile(file, 'utf8'))), errors: validate.errors }).toEqual(
        {
          file,
          valid: true,
          errors: null,
        },
      )
    }
    expect(validate({ api: { replicaz: 3 } })).toBe(false)
    expect(validate({ encryption: { secret: 'too short' } })).toBe(false)
  })

  test('the defaults are those of the contract', async () => {
    const values = parse(await readFile(join(chart, 'values.yaml'), 'utf8')) as Record<
      string,
      Record<string, unknown>
    >
    for (const component of ['api', 'worker', 'cluster']) {
      expect(values[component]).toMatchObject({
        autoscaling: { enabled: true, minReplicas: 2, maxReplicas: 10 },
        resources: { requests: { memory: '1Gi', cpu: '500m' }, limits: { memory: '2Gi', cpu: '1000m' } },
      })
    }
  })

  test('the README installs this chart', async () => {
    const readme = await readFile(join(root, 'README.md'), 'utf8')
    expect(readme).toMatch(/^helm install tutti deploy\/helm\/tutti --values /m)
  })

  test('the chart has the version of the program', async () => {
    const { appVersion } = parse(await readFile(join(chart, 'Chart.yaml'), 'utf8')) as { appVersion: string }
    expect(appVersion).toBe(version)
  })
})

describe.skipIf(helm === undefined)('rendered', () => {
  const rendered = new Map<Example, readonly Rendered[]>()
  let folder: string

  beforeAll(async () => {
    folder = await mkdtemp(join(await quickFolder(), 'tutti-chart-'))
    for (const example of examples) rendered.set(example, await render(example))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const of = (example: Example) => rendered.get(example) ?? []
  const deploymentsOf = (example: Example) =>
    of(example).filter(({ kind }) => kind === 'Deployment') as unknown as readonly Deployment[]
  const containersOf = (example: Example): readonly Container[] =>
    deploymentsOf(example).flatMap(({ spec }) => spec?.template.spec?.containers ?? [])
  const directOf = (example: Example) =>
    containersOf(example).map(({ name, env = [] }) => [
      name,
      env.find((variable) => variable.name === 'DATABASE_DIRECT_URL')?.valueFrom?.secretKeyRef,
    ])
  const podLabelsOf = (example: Example) =>
    deploymentsOf(example).map(({ spec }) => spec?.template.metadata?.labels ?? {})

  test.each(examples)('helm lint has no warning for %s', async (example) => {
    expect(await runHelm('lint', chart, '--strict', `--values=${valuesOf(example)}`)).toContain(
      '0 chart(s) failed',
    )
  })

  test('every object has the fields and types of its kind in Kubernetes', async () => {
    const objects = examples
      .flatMap(of)
      // A kind of the Prometheus operator.
      .filter(({ kind }) => kind !== 'ServiceMonitor')
    const lines = objects.map((object, index) => {
      const group = object.apiVersion.split('/')
      const name = group.length === 1 ? 'core' : (group[0]?.split('.')[0] ?? '')
      const type = `import('kubernetes-types/${name}/${group.at(-1)}.d.ts').${object.kind}`
      return `export const object${index}: ${type} = ${JSON.stringify(object)}`
    })
    await writeFile(join(folder, 'objects.ts'), `${lines.join('\n')}\n`)
    await writeFile(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: {
          strict: true,
          noEmit: true,
          module: 'esnext',
          moduleResolution: 'bundler',
          types: [],
          paths: { 'kubernetes-types/*': [join(root, 'node_modules/kubernetes-types/*')] },
        },
        files: ['objects.ts'],
      }),
    )
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
    const checked = await run(process.execPath, [compiler, '-p', folder]).then(
      () => 'valid',
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(objects.length).toBeGreaterThan(30)
    expect(checked).toBe('valid')
  })

  test.each(examples)('pods of %s are restricted, probed and stopped in time', (example) => {
    const deployments = deploymentsOf(example)
    expect(deployments.length).toBe(example === 'small' ? 2 : 3)
    for (const { spec } of deployments) {
      const pod = spec?.template.spec
      expect(pod?.securityContext).toMatchObject({
        runAsNonRoot: true,
        seccompProfile: { type: 'RuntimeDefault' },
      })
      expect(pod?.enableServiceLinks).toBe(false)
      expect(pod?.topologySpreadConstraints).toHaveLength(2)
      const grace = pod?.containers[0]?.env?.find(({ name }) => name === 'CLOSE_GRACE')?.value
      expect(pod?.terminationGracePeriodSeconds).toBeGreaterThan(Number.parseInt(grace ?? '', 10) + 5)
    }
    for (const container of containersOf(example)) {
      expect(container.securityContext).toEqual({
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      })
      const ports = new Set(container.ports?.map(({ name }) => name))
      for (const [probe, path] of [
        [container.startupProbe, '/healthz'],
        [container.livenessProbe, '/healthz'],
        [container.readinessProbe, '/readyz'],
      ] as const) {
        expect(probe?.httpGet?.path).toBe(path)
        expect(ports).toContain(probe?.httpGet?.port)
      }
      expect(container.resources?.limits).toEqual({ memory: '2Gi', cpu: '1000m' })
    }
  })

  test.each(examples)('selectors of %s find the pods', (example) => {
    const pods = podLabelsOf(example)
    const finds = (selector: Readonly<Record<string, string>>) =>
      pods.filter((labels) => Object.entries(selector).every(([name, value]) => labels[name] === value))
        .length
    for (const { kind, metadata, spec } of of(example)) {
      const selector = spec?.['selector'] as Record<string, unknown> | undefined
      if (kind === 'Service') {
        const expected = metadata.name.endsWith('-metrics') ? pods.length : 1
        expect(finds(selector as Record<string, string>)).toBe(expected)
      }
      if (kind === 'Deployment' || kind === 'PodDisruptionBudget')
        expect(finds(selector?.['matchLabels'] as Record<string, string>)).toBe(1)
      if (kind === 'NetworkPolicy') {
        const selected = spec?.['podSelector'] as { matchLabels: Record<string, string> } | undefined
        expect(finds(selected?.matchLabels ?? {})).toBe(1)
      }
      if (kind === 'HorizontalPodAutoscaler') {
        const target = spec?.['scaleTargetRef'] as { name: string } | undefined
        expect(deploymentsOf(example).map((deployment) => deployment.metadata?.name)).toContain(target?.name)
      }
      if (kind === 'ServiceMonitor') {
        const { matchLabels } = selector as { matchLabels: Record<string, string> }
        const services = of(example).filter(
          (other) =>
            other.kind === 'Service' &&
            Object.entries(matchLabels).every(([name, value]) => other.metadata.labels[name] === value),
        )
        expect(services).toHaveLength(1)
      }
    }
  })

  test('every environment variable is a setting of the program', async () => {
    const reference = await readFile(join(root, 'docs/reference/configuration.md'), 'utf8')
    const names = new Set(
      examples
        .flatMap(containersOf)
        .flatMap(({ env = [] }) => env)
        .map(({ name }) => name)
        // Read by Node.js.
        .filter((name) => name !== 'NODE_COMPILE_CACHE'),
    )
    expect(names.size).toBeGreaterThan(15)
    for (const name of names) expect(reference).toContain(`\`${name}\``)
  })

  test('secrets that exist are read from there, and none is written into the chart', () => {
    expect(of('production').filter(({ kind }) => kind === 'Secret')).toEqual([])
    const [api] = containersOf('production')
    expect(api?.env?.find(({ name }) => name === 'DATABASE_URL')).toEqual({
      name: 'DATABASE_URL',
      valueFrom: { secretKeyRef: { name: 'tutti-database', key: 'uri' } },
    })
    const given = examples.flatMap(containersOf).flatMap(({ env = [] }) => env)
    expect(given.some(({ value }) => value?.includes('example-example') === true)).toBe(false)
  })

  test('the address past a connection pooler is a secret of its own, and only there where it is given', () => {
    const existing = { name: 'tutti-database', key: 'direct-uri' }
    expect(Object.fromEntries(directOf('production'))).toEqual({
      api: existing,
      worker: existing,
      cluster: undefined,
    })
    const given = { name: 'ai', key: 'DATABASE_DIRECT_URL' }
    expect(Object.fromEntries(directOf('small'))).toEqual({ api: given, worker: given })
    const [secret] = of('small').filter(({ kind }) => kind === 'Secret') as unknown as readonly Secret[]
    expect(secret?.stringData).toMatchObject({
      DATABASE_URL: 'postgres://tutti:example@pgbouncer:6432/tutti',
      DATABASE_DIRECT_URL: 'postgres://tutti:example@postgresql:5432/tutti',
    })
    expect(directOf('minimal').map(([, reference]) => reference)).toEqual([undefined, undefined, undefined])
  })

  test('only the cluster service that looks for model nodes has a token of the Kubernetes API', () => {
    const tokens = (example: Example) =>
      deploymentsOf(example).map(({ spec }) => spec?.template.spec?.automountServiceAccountToken)
    expect(tokens('production')).toEqual(
      deploymentsOf('production').map(({ metadata }) => metadata?.name === 'trial-tutti-cluster'),
    )
    expect(tokens('minimal')).toEqual([false, false, false])
  })

  test.each([
    ['database.url=', 'Set database.url to a PostgreSQL server'],
    ['encryption.secret=', 'Set encryption.secret to 32 or more random characters'],
    ['clusterKey.value=', 'Set clusterKey.value to 20 or more random characters'],
    ['api.replicaz=2', 'Additional property replicaz is not allowed'],
  ])('%s is refused with what to do', async (given, message) => {
    await expect(render('minimal', `--set=${given}`)).rejects.toThrow(message)
  })
})
