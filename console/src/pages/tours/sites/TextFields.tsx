import '../../../theme/mantine-form.css'
import { Button, NativeSelect, TextInput } from '@mantine/core'
import { useState } from 'react'
import { bundledTexts } from '../../../../../src/tours/player/bundled-texts.ts'
import { englishTexts, type TextKey, textBound, textKeys } from '../../../../../src/tours/player/texts.ts'
import { languageName } from '../../../parts/language-name.ts'
import type { Submission } from '../../../parts/use-submission.ts'
import { countOf } from '../list/tour-words.ts'
import { fieldsToTexts, type TextFields as Texts, textProblem } from './player-fields.ts'

/** The place of each text, as the label of its field. */
const textWords: Readonly<Record<TextKey, string>> = {
  next: 'Next button',
  back: 'Back button',
  done: 'Next button of the last step',
  skip: 'Next button of a step without its element',
  end: 'Close button',
  step: 'Number of the step',
  one_step: 'Invitation to a tour of one step',
  steps: 'Invitation to a tour of several steps',
  unfinished: 'Invitation to resume',
  take: 'Start button of the invitation',
  resume: 'Resume button of the invitation',
  decline: 'Decline button of the invitation',
  go_on: 'Continue button',
  when_done: 'Note while the visitor uses the page',
  next_opens: 'Note that Next opens a page',
  next_elsewhere: 'Note that the next step is on another page',
  continues_on: 'Note while the tour waits for a page',
  missing: 'Note of a step without its element',
}

/** The choice of a language that is not listed. */
const other = 'other'

interface TextFieldsProps {
  readonly texts: Texts
  readonly onChange: (texts: Texts) => void
  readonly problemOf: Submission['problemOf']
}

/** Own texts of the player in one language at a time; empty fields show the text that comes with the player. */
export function TextFields({ texts, onChange, problemOf }: TextFieldsProps) {
  const [chosen, setChosen] = useState(() => Object.keys(texts)[0] ?? 'en')
  const languages = [...new Set([...Object.keys(bundledTexts), ...Object.keys(texts)])]
  const sent = fieldsToTexts(texts)
  const path = (langcode: string) => `player.texts[${sent.findIndex((it) => it.langcode === langcode)}]`
  const defaults = bundledTexts[chosen] ?? bundledTexts[chosen.split('-', 1)[0] ?? ''] ?? englishTexts
  const wrong = sent.find(({ langcode }) => problemOf(path(langcode)) !== undefined)?.langcode
  return (
    <>
      <NativeSelect
        label="Language"
        description="Pages in this language show the texts."
        value={chosen}
        onChange={({ currentTarget: { value } }) => setChosen(value)}
        data={[
          ...languages.map((langcode) => ({ value: langcode, label: optionLabel(langcode, sent) })),
          { value: other, label: 'Another language…' },
        ]}
        error={
          wrong === undefined || wrong === chosen
            ? undefined
            : `${languageName(wrong)}: ${problemOf(path(wrong)) ?? ''}`
        }
      />
      {chosen === other ? (
        <NewLanguage
          onAdd={(langcode) => {
            onChange({ ...texts, [langcode]: texts[langcode] ?? {} })
            setChosen(langcode)
          }}
        />
      ) : (
        textKeys.map((key) => (
          <TextInput
            key={key}
            label={textWords[key]}
            autoComplete="off"
            lang={chosen}
            dir="auto"
            maxLength={textBound}
            placeholder={defaults[key]}
            value={texts[chosen]?.[key] ?? ''}
            onChange={({ currentTarget: { value } }) =>
              onChange({ ...texts, [chosen]: { ...texts[chosen], [key]: value } })
            }
            error={textProblem(key, texts[chosen]?.[key] ?? '') ?? problemOf(`${path(chosen)}.texts.${key}`)}
          />
        ))
      )}
    </>
  )
}

function optionLabel(langcode: string, sent: ReturnType<typeof fieldsToTexts>): string {
  const own = sent.find((it) => it.langcode === langcode)
  const name = languageName(langcode)
  return own === undefined ? name : `${name}, ${countOf(Object.keys(own.texts).length, 'own text')}`
}

/** Asks for the code of a language. */
function NewLanguage({ onAdd }: { onAdd: (langcode: string) => void }) {
  const [code, setCode] = useState('')
  const [isWrong, setWrong] = useState(false)
  const add = () => {
    const langcode = code.trim().toLowerCase()
    const isCode = /^[a-z]{2,3}(?:-[a-z0-9]{1,8}){0,3}$/.test(langcode)
    setWrong(!isCode)
    if (isCode) onAdd(langcode)
  }
  return (
    <>
      <TextInput
        label="Language code"
        description="Such as fi or pt-br. Texts that you leave empty show the default."
        autoCapitalize="none"
        autoComplete="off"
        spellCheck={false}
        value={code}
        onChange={({ currentTarget: { value } }) => setCode(value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          // The form is not sent.
          event.preventDefault()
          add()
        }}
        error={isWrong ? 'Must be a language code, such as fi or pt-br.' : undefined}
      />
      <div>
        <Button size="sm" variant="default" onClick={add}>
          Add language
        </Button>
      </div>
    </>
  )
}
