/** The script of every page: search, versions, colour scheme and the navigation of small screens. Pages can be read without it. */
import MiniSearch from 'minisearch'
import { type SearchEntry, searchOptions } from '../search-fields.ts'
import type { VersionList } from '../version-list.ts'

const root = document.documentElement.dataset['root'] ?? '.'
const maxResults = 12

function find(selector: string): HTMLElement {
  const found = document.querySelector<HTMLElement>(selector)
  if (found === null) throw new Error(`The page has no ${selector}`)
  return found
}

let index: Promise<MiniSearch<SearchEntry>> | undefined

/** The index is loaded by the first search. */
async function loadIndex(): Promise<MiniSearch<SearchEntry>> {
  const response = await fetch(`${root}/search-index.json`)
  return await MiniSearch.loadJSONAsync<SearchEntry>(await response.text(), searchOptions)
}

function showResults(list: Element, status: Element, found: readonly Record<string, unknown>[]): void {
  list.replaceChildren(
    ...found.slice(0, maxResults).map((entry) => {
      const link = document.createElement('a')
      link.href = `${root}/${String(entry['target'])}`
      const page = document.createElement('span')
      page.textContent = String(entry['page'])
      link.append(String(entry['title']), page)
      const item = document.createElement('li')
      item.append(link)
      return item
    }),
  )
  status.textContent = found.length === 0 ? 'No results' : `${found.length} results`
}

function setUpSearch(): void {
  const input = find('#search') as HTMLInputElement
  const panel = find('#results')
  const [list, status] = [find('#results ul'), find('#results p')]
  const close = () => (panel.hidden = true)
  const search = async () => {
    const query = input.value.trim()
    if (query === '') {
      close()
      return
    }
    index ??= loadIndex()
    const loaded = await index
    // An older search must not replace the results of a newer one.
    if (input.value.trim() !== query) return
    showResults(list, status, loaded.search(query))
    panel.hidden = false
  }
  input.addEventListener('input', () => void search())
  document.addEventListener('keydown', (event) => {
    const typing = event.target instanceof HTMLInputElement
    if (event.key === '/' && !typing) {
      event.preventDefault()
      input.focus()
    }
    if (event.key === 'Escape') close()
    if (event.key === 'ArrowDown' && typing && !panel.hidden) {
      event.preventDefault()
      panel.querySelector('a')?.focus()
    }
  })
  document.addEventListener('click', (event) => {
    if (!find('#search-box').contains(event.target as Node)) close()
  })
  find('#search-box').hidden = false
}

function isDark(): boolean {
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light'
  return (document.documentElement.dataset['colours'] ?? system) === 'dark'
}

/** The choice of a reader goes before that of the system, and stays for all pages of the site. */
function setUpColours(): void {
  const button = find('#colours')
  button.addEventListener('click', () => {
    const colours = isDark() ? 'light' : 'dark'
    document.documentElement.dataset['colours'] = colours
    localStorage.setItem('tutti-docs-colours', colours)
  })
  button.hidden = false
}

const stored = localStorage.getItem('tutti-docs-colours')
if (stored === 'light' || stored === 'dark') document.documentElement.dataset['colours'] = stored

/** A choice of the versions beside this one. The link to the changelog stays where there is no other version, or no list. */
async function setUpVersions(): Promise<void> {
  const response = await fetch(`${root}/../versions.json`)
  if (!response.ok) return
  const { latest, versions } = (await response.json()) as VersionList
  if (versions.length < 2) return
  const choice = find('#versions') as HTMLSelectElement
  const current = document.documentElement.dataset['version']
  choice.append(
    ...versions.map((version) => {
      const text = version === latest ? `${version} (latest)` : version
      return new Option(text, version, version === current, version === current)
    }),
  )
  choice.addEventListener('change', () => void openVersion(choice.value))
  find('a.version').hidden = true
  choice.hidden = false
}

/** Opens the same page of another version, or its first page when it has no such page. */
async function openVersion(version: string): Promise<void> {
  const site = new URL(`${root}/`, location.href)
  const page = location.pathname.slice(site.pathname.length)
  const target = new URL(`../${version}/${page}`, site)
  const { ok } = await fetch(target, { method: 'HEAD' })
  location.assign(ok ? target : new URL(`../${version}/index.html`, site))
}

function setUpCopy(): void {
  for (const block of document.querySelectorAll('.code')) {
    const button = document.createElement('button')
    button.type = 'button'
    button.textContent = 'Copy'
    const copy = async () => {
      await navigator.clipboard.writeText(block.querySelector('pre')?.textContent ?? '')
      button.textContent = 'Copied'
    }
    button.addEventListener('click', () => void copy())
    block.append(button)
  }
}

document.addEventListener('DOMContentLoaded', () => {
  setUpSearch()
  setUpColours()
  setUpCopy()
  // Pages that were opened as files cannot read the list.
  void setUpVersions().catch(() => {})
})
