import { readFileSync, writeFileSync } from 'node:fs'
import { describeCurves, drawCurves, simulateCurves } from './curve.ts'
import { writeBetweenMarkers } from './markers.ts'

/** Writes the curves of the simulation into docs/scale.md and its image: `npm run scale`. */
const page = new URL('../../docs/scale.md', import.meta.url)
const image = new URL('../../docs/images/scale.svg', import.meta.url)
const queue = simulateCurves('from the queue')
const outside = simulateCurves('steps that reach outside')
let text = readFileSync(page, 'utf8')
text = writeBetweenMarkers(text, 'queue', describeCurves(queue))
text = writeBetweenMarkers(text, 'outside', describeCurves(outside))
writeFileSync(page, text)
writeFileSync(image, drawCurves(queue, 'Simulated executions per second by replicas and database cores'))
process.stdout.write(`${describeCurves(queue)}\n\n${describeCurves(outside)}\n`)
