import type { XmlElement } from '../readers/parse-xml.ts'
import { type Coverage, countFrom, coverageOf } from './coverage.ts'

/** Reads JaCoCo XML, which Kover writes too: the line counter of the whole report. */
export function readJacoco(document: XmlElement): Coverage | undefined {
  if (document.name !== 'report') return undefined
  const counter = document.children.find(
    (child) => child.name === 'counter' && child.attributes.get('type') === 'LINE',
  )
  const missed = countFrom(counter?.attributes.get('missed'))
  const covered = countFrom(counter?.attributes.get('covered'))
  if (missed === undefined || covered === undefined) return undefined
  return coverageOf('jacoco', covered, covered + missed)
}
