import { expect, test } from 'vitest'
import { noTargeting } from '../targeting/targeting.ts'
import type { Tip } from '../tour.ts'
import { compareVersions } from './compare-versions.ts'
import type { VersionContent } from './version-store.ts'

const tip = (id: string, changes: Partial<Tip> = {}): Tip => ({
  id,
  label: id.toUpperCase(),
  body: '<p>Text</p>',
  selector: '',
  location: 'center',
  position: null,
  weight: 1,
  route: null,
  candidates: [],
  target_text: null,
  advance: 'next',
  ...changes,
})

const content = (tips: Tip[], changes: Partial<VersionContent> = {}): VersionContent => ({
  label: 'Tour',
  status: false,
  routes: [],
  tips,
  recipe_id: null,
  launch: 'auto',
  langcode: 'en',
  translations: [],
  site_id: 'default',
  targeting: noTargeting,
  ...changes,
})

test('equal versions have no differences', () => {
  expect(compareVersions(content([tip('a')]), content([tip('a', { weight: 3 })]))).toEqual({
    equal: true,
    tour: [],
    steps: { added: [], removed: [], changed: [], moved: [] },
    summary: [],
  })
})

test('fields, steps and their order are compared', () => {
  const before = content([tip('a'), tip('b'), tip('c')])
  const after = content([tip('c'), tip('a', { body: '<p>New</p>' }), tip('d')], { label: 'Other' })
  expect(compareVersions(before, after)).toEqual({
    equal: false,
    tour: [{ field: 'label', old_value: 'Tour', new_value: 'Other' }],
    steps: {
      added: [{ id: 'd', label: 'D' }],
      removed: [{ id: 'b', label: 'B' }],
      changed: [
        {
          id: 'a',
          label: 'A',
          changes: [{ field: 'body', old_value: '<p>Text</p>', new_value: '<p>New</p>' }],
        },
      ],
      moved: [
        { id: 'c', label: 'C', from: 2, to: 1 },
        { id: 'a', label: 'A', from: 1, to: 2 },
      ],
    },
    summary: [
      'The title changed.',
      'The step “D” was added.',
      'The step “B” was removed.',
      'The step “A” changed: text.',
      'The order of the steps changed.',
    ],
  })
})
