import type { XmlElement } from '../readers/parse-xml.ts'
import { type Coverage, countFrom, coverageOf } from './coverage.ts'
import { createLineHits } from './line-hits.ts'

/** Reads Cobertura XML, as coverage.py, Istanbul, coverlet, gcovr and PHPUnit write it. */
export function readCobertura(document: XmlElement): Coverage | undefined {
  const isCobertura = document.attributes.has('line-rate') || childrenNamed(document, 'packages').length > 0
  if (document.name !== 'coverage' || !isCobertura) return undefined
  const total = countFrom(document.attributes.get('lines-valid'))
  const covered = countFrom(document.attributes.get('lines-covered'))
  if (total !== undefined && covered !== undefined) return coverageOf('cobertura', covered, total)
  return countLines(document)
}

// Older writers give only rates, which cannot be added up: then the lines themselves are counted.
function countLines(document: XmlElement): Coverage | undefined {
  const hits = createLineHits()
  for (const classElement of descend(document, ['packages', 'package', 'classes', 'class'])) {
    const file = classElement.attributes.get('filename') ?? ''
    for (const line of descend(classElement, ['lines', 'line'])) {
      hits.add(`${file}:${line.attributes.get('number')}`, Number(line.attributes.get('hits')) > 0)
    }
  }
  return coverageOf('cobertura', hits.covered(), hits.total())
}

function descend(element: XmlElement, path: readonly string[]): readonly XmlElement[] {
  return path.reduce<readonly XmlElement[]>(
    (elements, name) => elements.flatMap((parent) => childrenNamed(parent, name)),
    [element],
  )
}

function childrenNamed(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.filter((child) => child.name === name)
}
