import { describe, expect, test } from 'vitest'
import { isGenerated, isGeneratedClass, isStateClass } from './names.ts'

describe('generated names', () => {
  test.each([
    ':r1:',
    '«r2»',
    '_R_4afb_',
    'mantine-8xk2q1d0z',
    'radix-12',
    'ember342',
    'input-7',
    'css-1q2w3e4',
    'Button_root__x7Ta2',
    'a3f9c2d17b',
    '550e8400-e29b-41d4-a716-446655440000',
    'item-48213',
    '1234',
  ])('%s is generated', (name) => expect(isGenerated(name)).toBe(true))

  test.each([
    'search',
    'main-content',
    'edit-submit',
    'user_login_form',
    'step2',
    'h1-title',
    'column-3',
    'api-keys',
    'node-add-article',
    'oauth2-clients',
    'facade',
  ])('%s is not generated', (name) => expect(isGenerated(name)).toBe(false))
})

describe('generated class names', () => {
  test.each([
    '_button_1x2y3_12',
    '_stepList_abcde_7',
    '_root_qwert_1',
    'Card_title__VkIEL',
    'styles_card__Z0Mi9',
    'EgLauq_title',
    'css-kxqwzt',
    'css-1abc23-Label',
    'css-0',
    'emotion-4',
    'sc-bdVaJa',
    'sc-a1b2c3-0',
    'iYwXkP',
    'bFnVJw',
    'jss42',
    'makeStyles-root-12',
    'svelte-1tky8bj',
    'jsx-2871293847',
    '_1a2b3c0',
    'ng-tns-c4-2',
    'md:flex',
    'w-[12px]',
    'bg-black/50',
    'tw-kxqwz',
  ])('%s is generated', (name) => expect(isGeneratedClass(name)).toBe(true))

  test.each([
    'card',
    'card__title',
    'card__main-title',
    'user_card',
    '_private',
    'toolbar-item',
    'mainTitle',
    'field--name-title',
    'js-form-item',
    'col-3',
    'h1-title',
    'oauth2-clients',
  ])('%s is not generated', (name) => expect(isGeneratedClass(name)).toBe(false))
})

describe('state classes', () => {
  test.each(['active', 'is-open', 'has-error', 'selected', 'menu--open', 'nav-item-active', 'focus-visible'])(
    '%s is a state class',
    (name) => expect(isStateClass(name)).toBe(true),
  )

  test.each(['card', 'toolbar', 'isometric', 'activity', 'selection-list', 'opening-hours'])(
    '%s is not a state class',
    (name) => expect(isStateClass(name)).toBe(false),
  )
})
