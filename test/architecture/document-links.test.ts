import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const documents = globSync('{*.md,docs/**/*.md,{src,console,player,tdd,bench,test,scripts}/**/*.md}', {
  exclude: (name) => name.includes('node_modules') || name.includes('dist'),
})

/** Links and pictures of a text, without those that leave the project. */
function ownTargets(text: string): readonly string[] {
  const code = /```[\s\S]*?```|`[^`\n]*`/g
  const links = [...text.replaceAll(code, '').matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)]
  return links
    .map(([, link, attribute]) => (link ?? attribute ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
}

test('the repository has documents', () => {
  expect(documents.length).toBeGreaterThan(20)
})

test.each(documents)('every link of %s leads to an existing file', (document) => {
  const missing = ownTargets(readFileSync(document, 'utf8')).filter(
    (target) => !existsSync(join(dirname(document), target)),
  )
  expect(missing).toEqual([])
})
