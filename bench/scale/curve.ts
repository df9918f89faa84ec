import { flushMs, measuredPoints, type Workload } from './measurements.ts'
import { simulate } from './simulate.ts'

/** Executions that one replica has in progress: its default slots. */
const slots = 50

const replicaCounts = [1, 2, 4, 8, 16, 32, 100] as const
const databaseCores = [2, 4, 8, 16] as const

interface Curve {
  readonly cores: number
  /** Executions per second, by the number of replicas. */
  readonly rates: readonly number[]
}

function workloadOf(name: string): Workload {
  const point = measuredPoints.find((it) => it.name === name)
  if (point === undefined) throw new Error(`there is no measurement "${name}"`)
  return point.scenario.workload
}

/** What the simulation says about replicas with a core each and a database with cores of its own. */
export function simulateCurves(name: string): readonly Curve[] {
  const workload = workloadOf(name)
  return databaseCores.map((cores) => ({
    cores,
    rates: replicaCounts.map(
      (replicas) =>
        simulate(
          {
            workload,
            replicas,
            cores: { platform: replicas, database: cores },
            concurrency: slots * replicas,
            flushMs,
          },
          { warmUpMs: 1500, measuredMs: 1000 },
        ).executionsPerSecond,
    ),
  }))
}

/** A table in Markdown. */
export function describeCurves(curves: readonly Curve[]): string {
  return [
    `| cores of the database | ${replicaCounts.map((count) => `${count} ${count === 1 ? 'replica' : 'replicas'}`).join(' | ')} |`,
    `|---|${replicaCounts.map(() => '---|').join('')}`,
    ...curves.map(({ cores, rates }) => `| ${cores} | ${rates.map(describeRate).join(' | ')} |`),
  ].join('\n')
}

/** Two digits: more would promise what the model does not know. */
function describeRate(rate: number): string {
  return Number(rate.toPrecision(2)).toLocaleString('en-US')
}

const size = { width: 720, height: 420, left: 70, right: 110, top: 30, bottom: 50 }
const colours = ['#8ecae6', '#4ea8de', '#2f7fc1', '#1d5c96', '#123c66']

const round = (value: number) => value.toFixed(1)
/** The position between two bounds on a logarithmic axis, from 0 to 1. */
const scale = (value: number, from: number, to: number) => Math.log(value / from) / Math.log(to / from)

/** The curves as an image: replicas and executions per second, both on logarithmic axes. */
export function drawCurves(curves: readonly Curve[], title: string): string {
  const maxRate = Math.max(...curves.flatMap(({ rates }) => rates))
  const minRate = Math.min(...curves.flatMap(({ rates }) => rates))
  const x = (replicas: number) => size.left + scale(replicas, 1, 100) * (size.width - size.left - size.right)
  const y = (rate: number) =>
    size.height - size.bottom - scale(rate, minRate, maxRate) * (size.height - size.top - size.bottom)
  const grid = [500, 1000, 2000, 5000, 10_000, 20_000, 50_000].filter((it) => it >= minRate && it <= maxRate)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size.width} ${size.height}" font-family="sans-serif" font-size="12">`,
    `<title>${title}</title>`,
    `<rect width="${size.width}" height="${size.height}" fill="#fff"/>`,
    ...grid.map(
      (rate) =>
        `<path d="M${size.left} ${round(y(rate))}H${size.width - size.right}" stroke="#ddd"/><text x="${size.left - 8}" y="${round(y(rate) + 4)}" text-anchor="end">${rate.toLocaleString('en-US')}</text>`,
    ),
    ...replicaCounts.map(
      (count) =>
        `<text x="${round(x(count))}" y="${size.height - size.bottom + 18}" text-anchor="middle">${count}</text>`,
    ),
    `<text x="${size.left}" y="18">executions/s</text>`,
    `<text x="${(size.width - size.right + size.left) / 2}" y="${size.height - 12}" text-anchor="middle">replicas of one core</text>`,
    ...curves.map(({ cores, rates }, index) => {
      const points = rates.map((rate, at) => `${round(x(replicaCounts[at] ?? 1))},${round(y(rate))}`)
      const end = rates.at(-1) ?? 1
      return `<polyline points="${points.join(' ')}" fill="none" stroke="${colours[index]}" stroke-width="2"/><text x="${round(x(100) + 8)}" y="${round(y(end) + 4)}" fill="${colours[index]}">${cores} DB cores</text>`
    }),
    '</svg>',
    '',
  ].join('\n')
}
