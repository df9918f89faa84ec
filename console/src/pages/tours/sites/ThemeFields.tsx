import '../../../theme/mantine-form.css'
import { Checkbox, TextInput } from '@mantine/core'
import {
  type ColourName,
  cardRadius,
  cardWidth,
  defaultColours,
  defaultFont,
  type Scheme,
} from '../../../../../src/tours/player/theme.ts'
import { Status } from '../../../parts/Status.tsx'
import type { Submission } from '../../../parts/use-submission.ts'
import { colourOf, findLowContrast, leastContrast, paint } from './contrast.ts'
import {
  colourNames,
  colourProblem,
  fontProblem,
  pixelsProblem,
  schemes,
  type ThemeFields as Theme,
} from './player-fields.ts'
import styles from './ThemeFields.module.css'

const schemeWords: Readonly<Record<Scheme, string>> = { light: 'Light', dark: 'Dark' }

const colourWords: Readonly<Record<ColourName, string>> = {
  accent: 'Accent',
  on_accent: 'On accent',
  surface: 'Card',
  text: 'Text',
  line: 'Borders',
  shade: 'Overlay',
}

interface ThemeFieldsProps {
  readonly theme: Theme
  readonly onChange: (theme: Theme) => void
  readonly problemOf: Submission['problemOf']
}

/** The theme of the player: sizes, font and colours, with a check of the contrast and a sample of the card. */
export function ThemeFields({ theme, onChange, problemOf }: ThemeFieldsProps) {
  return (
    <>
      <div className={styles['sizes']}>
        {(
          [
            ['width', 'Width', cardWidth],
            ['radius', 'Corner radius', cardRadius],
          ] as const
        ).map(([name, label, bounds]) => (
          <TextInput
            key={name}
            label={label}
            description={`Pixels, ${bounds.minimum} to ${bounds.maximum}.`}
            inputMode="numeric"
            autoComplete="off"
            placeholder={String(bounds.default)}
            value={theme[name]}
            onChange={({ currentTarget: { value } }) => onChange({ ...theme, [name]: value })}
            error={pixelsProblem(theme[name], bounds) ?? problemOf(`player.theme.${name}`)}
          />
        ))}
      </div>
      <TextInput
        label="Font"
        description="Font families that the page has loaded, the preferred one first."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={200}
        placeholder={defaultFont}
        value={theme.font}
        onChange={({ currentTarget: { value } }) => onChange({ ...theme, font: value })}
        error={fontProblem(theme.font) ?? problemOf('player.theme.font')}
      />
      <Checkbox
        label="Arrow from the card to the element"
        checked={theme.arrow}
        onChange={({ currentTarget: { checked } }) => onChange({ ...theme, arrow: checked })}
      />
      <fieldset className={styles['colours']}>
        <legend>Colours</legend>
        <span />
        {schemes.map((scheme) => (
          <span key={scheme} className={styles['head']} aria-hidden>
            {schemeWords[scheme]}
          </span>
        ))}
        {colourNames.map((name) => (
          <ColourRow key={name} name={name} theme={theme} onChange={onChange} problemOf={problemOf} />
        ))}
      </fieldset>
      <ContrastNotes theme={theme} />
      <div className={styles['samples']} aria-hidden>
        {schemes.map((scheme) => (
          <Sample key={scheme} scheme={scheme} theme={theme} />
        ))}
      </div>
    </>
  )
}

function ColourRow({ name, theme, onChange, problemOf }: ThemeFieldsProps & { name: ColourName }) {
  return (
    <>
      <span className={styles['name']} aria-hidden>
        {colourWords[name]}
      </span>
      {schemes.map((scheme) => {
        const label = `${colourWords[name]}, ${scheme}`
        const value = theme[scheme][name]
        const set = (colour: string) => onChange({ ...theme, [scheme]: { ...theme[scheme], [name]: colour } })
        return (
          <TextInput
            key={scheme}
            size="xs"
            aria-label={label}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={80}
            placeholder={defaultColours[scheme][name]}
            value={value}
            onChange={(change) => set(change.currentTarget.value)}
            error={colourProblem(value) ?? problemOf(`player.theme.${scheme}.${name}`)}
            rightSectionPointerEvents="all"
            rightSection={
              <ColourPicker label={`Choose ${label}`} colour={colourOf(theme, scheme, name)} onChange={set} />
            }
          />
        )
      })}
    </>
  )
}

interface ColourPickerProps {
  readonly label: string
  readonly colour: string
  readonly onChange: (colour: string) => void
}

const hex = (value: number) => value.toString(16).padStart(2, '0')

/** The colour picker of the browser. It has no opacity, so that the one of the colour is kept. */
function ColourPicker({ label, colour, onChange }: ColourPickerProps) {
  const [red = 0, green = 0, blue = 0, alpha = 255] = paint([colour]) ?? []
  return (
    <input
      type="color"
      className={styles['swatch']}
      aria-label={label}
      value={`#${hex(red)}${hex(green)}${hex(blue)}`}
      onChange={({ currentTarget: { value } }) => onChange(alpha === 255 ? value : value + hex(alpha))}
    />
  )
}

function ContrastNotes({ theme }: { theme: Theme }) {
  const low = findLowContrast(theme)
  return (
    <div className={styles['notes']} role="status">
      {low.length === 0 ? (
        <Status tone="good" word={`All texts have a contrast of at least ${leastContrast}:1.`} />
      ) : (
        <>
          {low.map((sentence) => (
            <Status key={sentence} tone="warn" word={sentence} />
          ))}
          <p>Text is readable for most people from {leastContrast}:1.</p>
        </>
      )}
    </div>
  )
}

/** A card with these colours. Values that are not valid have no effect. */
function Sample({ scheme, theme }: { scheme: Scheme; theme: Theme }) {
  const colour = (name: ColourName) => colourOf(theme, scheme, name)
  const radius =
    theme.radius.trim() === '' || pixelsProblem(theme.radius, cardRadius) !== undefined
      ? cardRadius.default
      : Number(theme.radius)
  return (
    <div className={styles['page']} data-scheme={scheme}>
      <div
        className={styles['card']}
        style={{
          background: colour('surface'),
          borderColor: colour('line'),
          borderRadius: radius,
          color: colour('text'),
          fontFamily: theme.font || defaultFont,
        }}
      >
        <strong>{schemeWords[scheme]}</strong>
        <span>
          Text with a <span style={{ color: colour('accent'), textDecoration: 'underline' }}>link</span>.
        </span>
        <span
          className={styles['primary']}
          style={{ background: colour('accent'), color: colour('on_accent') }}
        >
          Next
        </span>
      </div>
    </div>
  )
}
