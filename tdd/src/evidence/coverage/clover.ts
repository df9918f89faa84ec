import type { XmlElement } from '../readers/parse-xml.ts'
import { type Coverage, countFrom, coverageOf } from './coverage.ts'

/** Reads Clover XML. Its statements are the lines that can run: Istanbul and PHPUnit write one for each. */
export function readClover(document: XmlElement): Coverage | undefined {
  if (document.name !== 'coverage') return undefined
  const metrics = document.children
    .filter((child) => child.name === 'project')
    .flatMap((project) => project.children.filter((child) => child.name === 'metrics'))
  const sum = (name: string) =>
    metrics.reduce((total, metric) => total + (countFrom(metric.attributes.get(name)) ?? Number.NaN), 0)
  return coverageOf('clover', sum('coveredstatements'), sum('statements'))
}
