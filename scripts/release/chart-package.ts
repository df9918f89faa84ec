import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { filesBelow, writeTar } from './archive.ts'
import { runHelm } from './helm.ts'

const chartFolder = 'deploy/helm/tutti'

interface ChartOptions {
  readonly helm: readonly string[]
  readonly version: string
  readonly epoch: number
  readonly changes: ReadonlyMap<string, string>
}

/**
 * Packs the chart. Helm decides what is in the package; its archive has the time of now, so the files are packed again. Rejects
 * when Helm refuses the chart.
 */
export async function writeChartPackage(
  root: string,
  target: string,
  { helm, version, epoch, changes }: ChartOptions,
): Promise<void> {
  const scratch = await mkdtemp(join(tmpdir(), 'tutti-chart-'))
  try {
    const chart = join(scratch, 'source/tutti')
    await cp(join(root, chartFolder), chart, { recursive: true })
    for (const [path, text] of changes) {
      if (path.startsWith(`${chartFolder}/`))
        await writeFile(join(chart, path.slice(chartFolder.length)), text)
    }
    await runHelm(helm, 'package', chart, '--destination', scratch)
    const packed = join(scratch, 'packed')
    await mkdir(packed)
    await promisify(execFile)('tar', ['-xzf', join(scratch, `tutti-${version}.tgz`), '-C', packed])
    await writeTar(join(target, `tutti-${version}.tgz`), await filesBelow(packed), { epoch })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}
