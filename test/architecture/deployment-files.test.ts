import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { settingsByPart } from '../../src/app/settings.ts'
import { version } from '../../src/app/version.ts'
import { hasProgram } from '../support/has-program.ts'

const read = (file: string) => readFile(new URL(`../../deploy/${file}`, import.meta.url), 'utf8')

const settings = new Map(
  Object.values(settingsByPart)
    .flatMap((group) => Object.values(group))
    .map((setting) => [setting.variable as string, setting]),
)
const unknownSettings = (names: readonly string[]) => names.filter((name) => !settings.has(name))

describe('Containerfile', async () => {
  interface Stage {
    readonly from: string
    readonly name: string
    readonly lines: readonly string[]
  }
  const text = (await read('Containerfile')).replaceAll(/^#.*\n/gm, '').replaceAll(/\\\n\s*/g, ' ')
  const stages: Stage[] = text
    .split(/^FROM /m)
    .slice(1)
    .map((part) => {
      const [head = '', ...lines] = part.split('\n')
      const [from = '', name = ''] = head.split(' AS ')
      return { from, name, lines: lines.filter((line) => line.trim() !== '') }
    })
  const valuesOf = (stage: string, instruction: string) =>
    (stages.find(({ name }) => name === stage)?.lines ?? [])
      .filter((line) => line.startsWith(`${instruction} `))
      .map((line) => line.slice(instruction.length + 1).trim())

  test('has a stage that installs, and two targets whose base is an argument', () => {
    expect(stages.map(({ from, name }) => `${name} from ${from.replaceAll(/[{}]/g, '')}`)).toEqual([
      'install from --platform=$BUILDPLATFORM $BUILDER',
      'server from $BASE',
      'embedded from server',
    ])
    expect(text.split('FROM ')[0]).toMatch(/^ARG BUILDER=\S+\nARG BASE=\S+$/m)
  })

  test('runs as an ordinary user with a fixed number, and stays so', () => {
    expect(valuesOf('server', 'USER')).toEqual(['10001:10001'])
    expect(valuesOf('embedded', 'USER')).toEqual([])
    expect(valuesOf('server', 'RUN').join()).toContain('useradd --uid 10001 --gid 10001')
  })

  test('sets only variables that are settings, to valid values', () => {
    const variables = valuesOf('server', 'ENV')
      .flatMap((line) => line.split(/\s+/))
      .map((pair) => pair.split('='))
    expect(variables.length).toBeGreaterThan(4)
    expect(unknownSettings(variables.map(([name = '']) => name))).toEqual([])
    const environment = Object.fromEntries(variables) as Record<string, string>
    expect(valuesOf('server', 'EXPOSE')).toEqual([`${environment['PORT']} ${environment['METRICS_PORT']}`])
    expect(environment['TUTTI_DATA_DIR']).toMatch(/^\/var\/lib\/tutti\//)
    expect(valuesOf('embedded', 'VOLUME')).toEqual(['["/var/lib/tutti"]'])
  })

  test('checks its health, names itself and stops with SIGTERM', () => {
    expect(valuesOf('server', 'HEALTHCHECK').join()).toContain('/healthz')
    expect(valuesOf('server', 'STOPSIGNAL')).toEqual(['SIGTERM'])
    expect(valuesOf('server', 'ENTRYPOINT')).toEqual(['["tutti"]'])
    expect(valuesOf('server', 'CMD')).toEqual(['["serve"]'])
    expect(valuesOf('server', 'ARG')).toContain(`VERSION=${version}`)
    const labels = valuesOf('server', 'LABEL').join()
    for (const label of ['title', 'description', 'licenses', 'version', 'revision'])
      expect(labels).toContain(`org.opencontainers.image.${label}=`)
  })

  test('the program of its health check tells a healthy port from another', async () => {
    const [, program = '[]'] = /CMD (\[.*\])$/.exec(valuesOf('server', 'HEALTHCHECK').join()) ?? []
    const [node, ...args] = JSON.parse(program) as string[]
    expect(node).toBe('node')
    const { createServer } = await import('node:http')
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/healthz' ? 200 : 404
      response.end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const check = () =>
      promisify(execFile)(process.execPath, args, { env: { PORT: String(port) } }).then(
        () => 'healthy',
        () => 'unhealthy',
      )
    expect(await check()).toBe('healthy')
    server.close()
    server.closeAllConnections()
    expect(await check()).toBe('unhealthy')
  })
})

describe('compose.yaml', async () => {
  interface Service {
    readonly environment?: Readonly<Record<string, string>>
    readonly read_only?: boolean
    readonly cap_drop?: readonly string[]
    readonly security_opt?: readonly string[]
    readonly tmpfs?: readonly string[]
    readonly volumes?: readonly string[]
    readonly ports?: readonly string[]
    readonly healthcheck?: object
    readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
    readonly stop_grace_period?: string
    readonly build?: { readonly context: string; readonly dockerfile: string; readonly target: string }
  }
  const compose = parse(await read('compose.yaml'), { merge: true }) as {
    readonly services: Readonly<Record<string, Service>>
    readonly networks: {
      readonly tutti: { readonly ipam: { readonly config: readonly { readonly subnet: string }[] } }
    }
  }
  const replicas = Object.entries(compose.services).filter(([name]) => name.startsWith('tutti-'))

  test('runs two replicas that are alike', () => {
    expect(replicas.map(([name]) => name)).toEqual(['tutti-1', 'tutti-2'])
    const [[, first] = [], [, second] = []] = replicas
    const { build, ...rest } = first ?? {}
    expect(rest).toEqual(second)
    expect(build).toEqual({ context: '../dist', dockerfile: '../deploy/Containerfile', target: 'server' })
  })

  test.each(replicas)(
    '%s has only settings of the platform, a read-only root and no rights',
    (_, replica) => {
      expect(unknownSettings(Object.keys(replica.environment ?? {}))).toEqual([])
      expect(replica.environment?.['TRUSTED_PROXIES']).toBe(compose.networks.tutti.ipam.config[0]?.subnet)
      expect(replica).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      })
      expect(replica.tmpfs?.map((mount) => mount.split(':')[0])).toEqual(['/tmp', '/var/lib/tutti'])
      expect(replica.ports).toBeUndefined()
      expect(replica.depends_on?.['database']?.condition).toBe('service_healthy')
      expect(Number.parseInt(replica.stop_grace_period ?? '', 10)).toBeGreaterThan(
        Number.parseInt(replica.environment?.['CLOSE_GRACE'] ?? '', 10),
      )
    },
  )

  test('no secret has a value in the file', () => {
    const secrets = Object.values(compose.services).flatMap(({ environment = {} }) =>
      Object.entries(environment).filter(([name]) => /PASSWORD|SECRET|DATABASE_URL/.test(name)),
    )
    expect(secrets.length).toBeGreaterThan(3)
    for (const [name, value] of secrets) expect(value, name).toMatch(/\$\{\w+:\?set \w+\}/)
  })

  test('only the proxy has a port, which leads to both replicas without buffering', async () => {
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined)
    expect(open.map(([name, { ports }]) => [name, ports])).toEqual([['proxy', ['8080:8080']]])
    const nginx = await read('nginx.conf')
    expect(nginx).toMatch(/listen 8080;/)
    for (const [name] of replicas) expect(nginx).toContain(`server ${name}:3000 `)
    expect(nginx).toMatch(/proxy_buffering off;/)
    expect(nginx).toMatch(/proxy_set_header X-Forwarded-Proto /)
  })
})

describe('tutti.service', async () => {
  const text = await read('systemd/tutti.service')
  const valuesOf = (key: string) =>
    [...text.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))].map(([, value = '']) => value)

  test('sets only variables that are settings, besides the cache', () => {
    const names = valuesOf('Environment')
      .flatMap((line) => line.split(' '))
      .map((pair) => pair.split('=')[0] ?? '')
    expect(unknownSettings(names)).toEqual(['XDG_CACHE_HOME'])
  })

  test('lets the platform stop its database within a time above the shutdown deadline', () => {
    expect(valuesOf('KillMode')).toEqual(['mixed'])
    const deadline = settings.get('CLOSE_GRACE')?.defaultText ?? ''
    expect(Number(valuesOf('TimeoutStopSec')[0])).toBeGreaterThan(Number.parseInt(deadline, 10))
  })

  test('runs as a user of its own, with a system it cannot write', () => {
    expect(valuesOf('User')).toEqual(['tutti'])
    expect(valuesOf('StateDirectory')).toEqual(['tutti'])
    expect(valuesOf('ProtectSystem')).toEqual(['strict'])
    expect(valuesOf('NoNewPrivileges')).toEqual(['yes'])
    expect(valuesOf('CapabilityBoundingSet')).toEqual([''])
  })

  const analyze = hasProgram('systemd-analyze') ? test : test.skip
  analyze('passes systemd-analyze, with a low exposure', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'tutti-unit-'))
    try {
      const unit = join(folder, 'tutti.service')
      // The program and the user need not exist on this machine.
      await writeFile(
        unit,
        text.replace(/^ExecStart=\S+/m, 'ExecStart=/bin/true').replace(/^(User|Group)=.*$/gm, '$1=daemon'),
      )
      const verified = await promisify(execFile)('systemd-analyze', ['verify', '--man=no', unit])
      expect(verified.stderr.split('\n').filter((line) => line.includes('tutti.service'))).toEqual([])
      const { stdout } = await promisify(execFile)('systemd-analyze', ['security', '--offline=yes', unit])
      expect(Number(/exposure level for tutti\.service: ([\d.]+)/.exec(stdout)?.[1])).toBeLessThan(2.5)
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
