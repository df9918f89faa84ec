/** `node scripts/check-links.ts`: fails where a link or a picture of a document leads to a file that does not exist. */
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const documents = globSync('{*.md,docs/**/*.md,{src,console,player,tdd,bench,test,scripts}/**/*.md}', {
  exclude: (name) => name.includes('node_modules') || name.includes('dist'),
})

let broken = 0
for (const document of documents) {
  for (const target of ownTargets(readFileSync(document, 'utf8'))) {
    if (existsSync(join(dirname(document), target))) continue
    broken += 1
    console.log(`${document}: ${target} does not exist`)
  }
}
console.log(`${documents.length} documents, ${broken} broken links`)
process.exitCode = broken === 0 && documents.length > 0 ? 0 : 1

/** Links and pictures of a text, without those that leave the project. */
function ownTargets(text: string): readonly string[] {
  const code = /```[\s\S]*?```|`[^`\n]*`/g
  const links = [...text.replaceAll(code, '').matchAll(/\]\(([^)\s]+)\)|\b(?:src|srcset|href)="([^"]+)"/g)]
  return links
    .map(([, link, attribute]) => (link ?? attribute ?? '').replace(/#.*$/, ''))
    .filter((target) => target !== '' && !/^[a-z]+:/.test(target))
}
