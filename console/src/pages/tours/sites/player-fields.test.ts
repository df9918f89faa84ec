import { expect, test } from 'vitest'
import { cardRadius, cardWidth } from '../../../../../src/tours/player/theme.ts'
import {
  colourProblem,
  fieldsToTexts,
  fieldsToTheme,
  fontProblem,
  pixelsProblem,
  textProblem,
  textsToFields,
  themeToFields,
} from './player-fields.ts'

test('a theme is the same after editing nothing, and without own values it is empty', () => {
  const theme = {
    width: 320,
    radius: 0,
    font: 'Inter, sans-serif',
    arrow: false,
    light: { accent: '#aa0000', on_accent: '#fff' },
    dark: { shade: 'rgb(1 2 3 / 50%)' },
  }
  expect(fieldsToTheme(themeToFields(theme))).toEqual(theme)
  expect(fieldsToTheme(themeToFields({}))).toEqual({})
  expect(fieldsToTheme({ ...themeToFields({}), width: ' 400 ', font: ' ' })).toEqual({ width: 400 })
})

test('texts are the same after editing nothing; empty ones and empty languages are left out', () => {
  const texts = [
    { langcode: 'de', texts: { next: 'Auf geht’s', back: 'Zurück' } },
    { langcode: 'fi', texts: { steps: '{total} vaihetta.' } },
  ]
  expect(fieldsToTexts(textsToFields(texts))).toEqual(texts)
  expect(fieldsToTexts({ en: { next: ' ', back: ' Go back ' }, de: { next: '' }, fi: {} })).toEqual([
    { langcode: 'en', texts: { back: 'Go back' } },
  ])
})

test.each([
  '',
  '#fff',
  '#FFFA',
  '#2457c5',
  '#2457c580',
  'rgb(36 87 197)',
  'rgb(36 87 197 / 50%)',
  'rgba(36, 87, 197, 0.5)',
  'rgb(36,87,197)',
  'hsl(220deg 69% 46%)',
  'oklch(0.6 0.15 .75turn / 0.5)',
])('%s is accepted as a colour', (colour) => {
  expect(colourProblem(colour)).toBeUndefined()
})

test.each(['red', '#ff', '#fffff', 'rgb(1 2)', 'rgb(1 2 3 4)', 'url(x)', '#fff; x', 'rgb(a b c)'])(
  '%s is refused as a colour',
  (colour) => {
    expect(colourProblem(colour)).toMatch(/^Must be a colour, such as #2457c5/)
  },
)

test('sizes, fonts and placeholders are checked', () => {
  for (const width of ['', '200', '800', ' 360 ']) expect(pixelsProblem(width, cardWidth)).toBeUndefined()
  for (const width of ['199', '801', '3.5', '360px', '-1'])
    expect(pixelsProblem(width, cardWidth)).toBe('Must be a whole number from 200 to 800.')
  expect(pixelsProblem('0', cardRadius)).toBeUndefined()
  expect(fontProblem('"Open Sans", serif')).toBeUndefined()
  expect(fontProblem('x; color: red')).toMatch(/^Must be a list of font families/)
  expect(textProblem('step', '{total} / {step}')).toBeUndefined()
  expect(textProblem('step', '{all} / {step}')).toBe('Must not contain {all}.')
  expect(textProblem('next', '{step}')).toBe('Must not contain {step}.')
})
