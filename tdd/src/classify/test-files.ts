import { type FileName, isAmong } from './file-name.ts'

/** Folders whose files serve tests, in every language. */
const anywhere =
  ' __tests__ __mocks__ __snapshots__ __fixtures__ test tests Test Tests testdata fixtures mocks e2e cypress playwright androidTest integrationTest testFixtures integration_test test_driver '

/** Name parts that mark a test in every language: `login.fixture.ts`, `checkout.feature`, `page.snap`. */
const byAnyName = ' snap feature mock mocks fixture fixtures approved golden '

/** A package that exists to test others: `e2e/package.json`, `apps/shop-e2e/package.json`. */
const testPackage = /(?:^|\/|-)(?:tests?|__tests__|e2e|cypress|playwright)$/

/** The test naming convention of a language, by file extension; it is matched against the whole path. */
function conventionOf(ending: string): RegExp | undefined {
  switch (ending) {
    case 'js':
    case 'jsx':
    case 'ts':
    case 'tsx':
    case 'mjs':
    case 'cjs':
    case 'mts':
    case 'cts':
    case 'vue':
    case 'svelte':
    case 'astro':
    case 'coffee':
      return /(?:^|\/)specs?\/|\.(?:test|spec|cy|e2e|test-d|spec-d)\.[^/.]+$|[-_](?:test|spec)\.[^/.]+$/
    case 'py':
    case 'pyi':
    case 'ipynb':
      return /(?:^|\/)(?:test_[^/]*|[^/]+_tests?|conftest|tests)\.[^/.]+$/
    case 'go':
      return /_test\.go$/
    case 'rs':
      return /(?:^|\/)(?:benches\/|(?:[^/]+_tests?|tests)\.rs$)/
    case 'java':
    case 'kt':
    case 'kts':
    case 'scala':
    case 'groovy':
      return /^(?!(?:.*\/)?src\/main\/)(?:.*\/)?(?:[^/]*[A-Za-z0-9](?:Tests?|TestCase|Specs?)|[^/]*[a-z0-9]IT|[^/]*Suite(?=\.scala)|Test[A-Z][^/]*)\.[a-z]+$/
    case 'php':
    case 'phpt':
      return /(?:^|\/)spec\/|[A-Za-z0-9](?:Test|TestCase|Cest|Cept|Spec)\.php$|\.phpt$/
    case 'rb':
      return /(?:^|\/)(?:(?:spec|features)\/|(?:test_[^/]+|[^/]+_(?:test|spec)|spec_helper)\.rb$)/
    case 'cs':
    case 'fs':
    case 'vb':
    case 'razor':
      return /(?:^|\/)[^/]+\.(?:\w*Tests?|Specs?)\/|[A-Za-z0-9](?:Tests?|Specs)\.[a-z]+$/
    case 'swift':
    case 'm':
    case 'mm':
      return /(?:^|\/)[^/]*Tests\/|[A-Za-z0-9](?:Tests?|Specs?)\.(?:swift|mm?)$/
    case 'c':
    case 'cc':
    case 'cpp':
    case 'cxx':
    case 'h':
    case 'hh':
    case 'hpp':
    case 'cu':
    case 'ino':
      return /(?:^|\/)(?:test_[^/]+|[^/]+_(?:tests?|unittests?)|[^/]*[a-z0-9]Tests?|[^/]+\.test)\.[^/.]+$/
    case 'dart':
      return /_test\.dart$/
    case 'ex':
    case 'exs':
      return /(?:_test|test_helper)\.exs$/
    case 'erl':
      return /_(?:SUITE|tests?)\.erl$/
    case 'sh':
    case 'bash':
    case 'zsh':
    case 'bats':
    case 'ps1':
      return /\.bats$|(?:^|\/)test[_-][^/]+$|(?:[._-](?:test|spec)|\.Tests)\.[a-z0-9]+$/
    case 'lua':
      return /(?:^|\/)spec\/|_(?:spec|test)\.lua$/
    case 'pl':
    case 'pm':
    case 't':
      return /(?:^|\/)t\/|\.t$/
    case 'hs':
    case 'lhs':
      return /[A-Za-z0-9](?:Spec|Test)\.l?hs$/
    case 'clj':
    case 'cljc':
    case 'cljs':
      return /_test\.clj[cs]?$/
    case 'r':
      return /(?:^|\/)test-[^/]+$/
    case 'ml':
    case 'res':
    case 'zig':
    case 'jl':
    case 'nim':
    case 'cr':
    case 'gleam':
      return /(?:^|\/)(?:spec\/|test_[^/]+$|[^/]+_(?:test|spec)\.[^/.]+$)/
    default:
      return undefined
  }
}

/** Whether a file is a test or serves only tests. */
export function isTest({ path, folders, ending, inner }: FileName, packageFolder: string): boolean {
  if (
    folders.some((folder) => isAmong(anywhere, folder)) ||
    isAmong(byAnyName, ending) ||
    isAmong(byAnyName, inner)
  )
    return true
  if (packageFolder !== '.' && testPackage.test(packageFolder)) return true
  return conventionOf(ending)?.test(path) ?? false
}
