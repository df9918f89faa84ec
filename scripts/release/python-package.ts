import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Zippable, zipSync } from 'fflate'
import { type ArchiveFile, filesBelow, writeTar } from './archive.ts'

interface Project {
  readonly name: string
  readonly version: string
  readonly description: string
  readonly license: string
  readonly requiresPython: string
}

/**
 * Writes the wheel and the source archive of the Python client into a folder. The client is plain Python without dependencies, so both
 * need no Python. Throws when pyproject.toml lacks a field.
 */
export async function writePythonPackage(
  source: string,
  target: string,
  { epoch, pyproject }: { readonly epoch: number; readonly pyproject?: string | undefined },
): Promise<void> {
  const settings = pyproject ?? (await readFile(join(source, 'pyproject.toml'), 'utf8'))
  const project = readProject(settings)
  const readme = await readFile(join(source, 'README.md'), 'utf8')
  const metadata = describe(project, readme)
  const stem = `${project.name.replaceAll('-', '_')}-${project.version}`
  await mkdir(target, { recursive: true })
  const modules = await readFiles(await filesBelow(join(source, 'src/tutti'), 'tutti/'))
  await writeFile(join(target, `${stem}-py3-none-any.whl`), packWheel(modules, stem, metadata, epoch))
  const sources = [
    ...(await filesBelow(join(source, 'src'), `${stem}/src/`)),
    ...(await filesBelow(join(source, 'tests'), `${stem}/tests/`)),
  ].filter(isSource)
  const texts = { 'pyproject.toml': settings, 'README.md': readme, 'PKG-INFO': metadata }
  const described = Object.entries(texts).map(([name, text]) => ({
    name: `${stem}/${name}`,
    content: Buffer.from(text),
  }))
  await writeTar(join(target, `${stem}.tar.gz`), [...sources, ...described], { epoch })
}

/** Python stores what it has compiled beside the sources. */
const isSource = ({ name }: ArchiveFile) => !name.includes('__pycache__')

async function readFiles(files: readonly ArchiveFile[]): Promise<Map<string, Uint8Array>> {
  const contents = new Map<string, Uint8Array>()
  for (const { name, content } of files.filter(isSource))
    contents.set(name, content instanceof Uint8Array ? content : await readFile(content.path))
  return contents
}

function readProject(settings: string): Project {
  const field = (pattern: RegExp) => {
    const value = pattern.exec(settings)?.[1]
    if (value === undefined) throw new Error(`pyproject.toml has no field that matches ${pattern.source}`)
    return value
  }
  return {
    name: field(/^name = "(.+)"$/m),
    version: field(/^version = "(.+)"$/m),
    description: field(/^description = "(.+)"$/m),
    license: field(/^license = \{ text = "(.+)" \}$/m),
    requiresPython: field(/^requires-python = "(.+)"$/m),
  }
}

function describe({ name, version, description, license, requiresPython }: Project, readme: string): string {
  const fields = [
    'Metadata-Version: 2.1',
    `Name: ${name}`,
    `Version: ${version}`,
    `Summary: ${description}`,
    `License: ${license}`,
    `Requires-Python: ${requiresPython}`,
    'Description-Content-Type: text/markdown',
  ]
  return `${fields.join('\n')}\n\n${readme}`
}

function packWheel(
  modules: ReadonlyMap<string, Uint8Array>,
  stem: string,
  metadata: string,
  epoch: number,
): Uint8Array {
  const information = `${stem}.dist-info`
  const contents = new Map(modules)
  contents.set(`${information}/METADATA`, Buffer.from(metadata))
  contents.set(
    `${information}/WHEEL`,
    Buffer.from('Wheel-Version: 1.0\nGenerator: tutti-release\nRoot-Is-Purelib: true\nTag: py3-none-any\n'),
  )
  const record = `${information}/RECORD`
  const lines = [...contents].map(([name, bytes]) => {
    const hash = createHash('sha256').update(bytes).digest('base64url')
    return `${name},sha256=${hash},${bytes.length}`
  })
  contents.set(record, Buffer.from(`${[...lines, `${record},,`].join('\n')}\n`))
  const options = { mtime: localTime(epoch), os: 3, attrs: (0o100644 << 16) >>> 0, level: 9 } as const
  const files: Zippable = {}
  for (const [name, bytes] of contents) files[name] = [bytes, options]
  return zipSync(files)
}

/** A zip archive has local times. This one has the fields that the time has in UTC, in every time zone. */
function localTime(epoch: number): Date {
  const time = new Date(epoch * 1000)
  return new Date(
    time.getUTCFullYear(),
    time.getUTCMonth(),
    time.getUTCDate(),
    time.getUTCHours(),
    time.getUTCMinutes(),
    time.getUTCSeconds(),
  )
}
