import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'

/** Builds steps in the flow editor with the mouse, and by typing into fields of the form. */

export type Within = Page | Locator

/** A text field; those with completion have the role combobox, and so have choices. */
export function field(name: string, within: Within): Locator {
  const exactly = { name, exact: true }
  return within.getByRole('textbox', exactly).or(within.getByRole('combobox', exactly)).first()
}

export const group = (name: string, within: Within) => within.getByRole('group', { name, exact: true })

/** Types texts into fields by their labels. */
export async function fill(within: Within, texts: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(texts)) await field(name, within).fill(text)
}

/** Selects values of choices by their labels. */
export async function choose(within: Within, values: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(values)) await field(name, within).selectOption(value)
}

/** Opens a folded part of the form, by the start of its title. */
export async function unfold(within: Within, title: string): Promise<void> {
  await within
    .locator('summary', { hasText: new RegExp(`^${title}`) })
    .first()
    .click()
}

interface NewStep {
  /** The title in the palette, and the ID of a new step of this type. */
  readonly kind: readonly [title: string, id: string]
  readonly id: string
  readonly label: string
  /** Adds it without the dependency on the selected step. */
  readonly isFree?: boolean
}

/** Adds a step after the selected one and names it. */
export async function addStep(page: Page, { kind: [title, first], id, label, isFree }: NewStep) {
  if (isFree === true) {
    await page.locator('.react-flow__pane').click({ position: { x: 8, y: 8 } })
    await page.getByRole('heading', { level: 2, name: 'Workflow', exact: true }).waitFor()
  }
  const palette = page.getByRole('region', { name: 'Step palette' })
  await palette.getByRole('button', { name: title, exact: true }).click()
  await nameStep(page, first, { id, label })
}

export async function nameStep(page: Page, first: string, { id, label }: Pick<NewStep, 'id' | 'label'>) {
  await expect.poll(() => field('ID', page).inputValue()).toBe(first)
  if (id !== first) {
    await field('ID', page).fill(id)
    await field('ID', page).press('Enter')
    await nodeOf(page, id).waitFor()
  }
  await field('Label', page).fill(label)
}

export const nodeOf = (page: Page, id: string) => page.locator(`.react-flow__node[data-id="${id}"]`)

/** Opens the form of a step, wherever it is on the canvas. */
export async function openStep(page: Page, id: string): Promise<void> {
  await page.getByRole('button', { name: 'Fit view' }).click()
  await nodeOf(page, id).click()
  await expect.poll(() => field('ID', page).inputValue()).toBe(id)
}

export const prompt = ['Prompt', 'ask'] as const
export const condition = ['Condition', 'decide'] as const
export const request = ['HTTP request', 'call'] as const
export const transform = ['Transform', 'transform'] as const

interface Transformation {
  readonly operation: string
  readonly choices?: Readonly<Record<string, string>>
  readonly texts?: Readonly<Record<string, string>>
}

/** Fills in the transformations of the selected step; a new step has one. */
export async function transformBy(page: Page, transformations: readonly Transformation[]): Promise<void> {
  const list = group('Transformations', page)
  for (const [index, { operation, choices = {}, texts = {} }] of transformations.entries()) {
    if (index > 0) await list.getByRole('button', { name: 'Add transformation' }).click()
    const entry = group(`Transformation ${index + 1}`, list)
    await choose(entry, { Operation: operation, ...choices })
    await fill(entry, texts)
  }
}

interface SchemaField {
  readonly name: string
  readonly type: string
  readonly isOptional?: boolean
  readonly title?: string
  readonly limits?: Readonly<Record<string, string>>
}

/** Adds the fields of a form or an output. */
export async function addFields(
  page: Page,
  label: 'Form' | 'Output schema',
  fields: readonly SchemaField[],
): Promise<void> {
  const table = group(label, page)
  for (const [index, { name, type, isOptional, title, limits }] of fields.entries()) {
    await table.getByRole('button', { name: 'Add field' }).click()
    const row = group(`Field ${index + 1}`, table)
    await fill(row, { Name: name })
    await choose(row, { Type: type })
    if (isOptional === true) await row.getByRole('checkbox', { name: 'Required' }).setChecked(false)
    if (title !== undefined) await fill(row, { Title: title })
    if (limits === undefined) continue
    await unfold(row, 'Limits')
    await fill(row, limits)
  }
  if (label === 'Output schema') {
    await table.getByRole('checkbox', { name: 'Refuse other fields' }).setChecked(true)
  }
}

interface Comparison {
  readonly name: string
  readonly operator: string
  readonly value: string
}

export async function compare(entry: Locator, { name, operator, value }: Comparison): Promise<void> {
  await fill(entry, { Field: name })
  await choose(entry, { Operator: operator })
  await fill(entry, { Value: value })
}

/** Saves the open flow under a label that is also its ID. */
export async function save(page: Page, id: string): Promise<void> {
  await page
    .getByText(/^(No problems|1 warning)$/)
    .first()
    .waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await field('Label', dialog).fill(id)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(`**/workflows/${id}/edit**`)
}
