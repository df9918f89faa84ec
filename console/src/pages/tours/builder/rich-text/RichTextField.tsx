import { ActionIcon, Button, TextInput } from '@mantine/core'
import IconBold from '@tabler/icons-react/dist/esm/icons/IconBold.mjs'
import IconCode from '@tabler/icons-react/dist/esm/icons/IconCode.mjs'
import IconHeading from '@tabler/icons-react/dist/esm/icons/IconHeading.mjs'
import IconItalic from '@tabler/icons-react/dist/esm/icons/IconItalic.mjs'
import IconLink from '@tabler/icons-react/dist/esm/icons/IconLink.mjs'
import IconList from '@tabler/icons-react/dist/esm/icons/IconList.mjs'
import IconListNumbers from '@tabler/icons-react/dist/esm/icons/IconListNumbers.mjs'
import {
  type KeyboardEvent,
  useEffect,
  useEffectEvent,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import {
  elementAtCursor,
  type Format,
  formatsAtCursor,
  fromDom,
  insertPasted,
  rangeIn,
  setLink,
  toDom,
  toggleFormat,
} from './editing.ts'
import styles from './RichTextField.module.css'
import { isAllowedLink, parseHtml, toBlocks, writeHtml } from './rich-text.ts'

interface RichTextFieldProps {
  readonly label: string
  readonly description?: string
  /** HTML, as the platform stores it. */
  readonly value: string
  readonly onChange: (html: string) => void
  readonly error: string | undefined
}

const buttons: readonly {
  readonly format: Format
  readonly title: string
  readonly icon: typeof IconBold
}[] = [
  { format: 'bold', title: 'Bold', icon: IconBold },
  { format: 'italic', title: 'Italic', icon: IconItalic },
  { format: 'code', title: 'Code', icon: IconCode },
  { format: 'link', title: 'Link', icon: IconLink },
  { format: 'bullets', title: 'Bulleted list', icon: IconList },
  { format: 'numbers', title: 'Numbered list', icon: IconListNumbers },
  { format: 'heading', title: 'Heading', icon: IconHeading },
]

/** A link that is being written, and the selection that gets it. */
interface LinkDraft {
  readonly range: Range | undefined
  readonly href: string
}

/** A text with formats, edited as visitors see it. */
export function RichTextField({ label, description, value, onChange, error }: RichTextFieldProps) {
  const id = useId()
  const editor = useRef<HTMLDivElement>(null)
  const written = useRef<string>(undefined)
  const [active, setActive] = useState<ReadonlySet<Format>>(new Set())
  const [link, setDraft] = useState<LinkDraft>()

  useLayoutEffect(() => {
    if (editor.current === null || written.current === value) return
    written.current = value
    editor.current.replaceChildren(toDom(parseHtml(value)))
  }, [value])

  const readFormats = useEffectEvent(() => {
    if (editor.current !== null) setActive(formatsAtCursor(editor.current))
  })
  useEffect(() => {
    const onSelection = () => readFormats()
    document.addEventListener('selectionchange', onSelection)
    return () => document.removeEventListener('selectionchange', onSelection)
  }, [])

  function read(): void {
    if (editor.current === null) return
    const html = writeHtml(toBlocks(fromDom(editor.current)))
    if (html === written.current) return
    written.current = html
    onChange(html)
  }

  function press(format: Format): void {
    if (editor.current === null) return
    if (format !== 'link') toggleFormat(editor.current, format)
    else {
      const href = elementAtCursor(editor.current, 'a')?.getAttribute('href')
      setDraft({ range: rangeIn(editor.current)?.cloneRange(), href: href ?? 'https://' })
    }
    readFormats()
  }

  function endLink(href: string | undefined): void {
    if (editor.current !== null && href !== undefined) setLink(editor.current, link?.range, href)
    editor.current?.focus()
    setDraft(undefined)
    read()
  }

  const texts = { about: description, error }
  const describedBy = (['about', 'error'] as const)
    .filter((name) => texts[name] !== undefined)
    .map((name) => `${id}-${name}`)
    .join(' ')
  return (
    <div className={styles['field']}>
      <div className={styles['top']}>
        <span id={`${id}-label`}>{label}</span>
        <Toolbar controls={id} active={active} onPress={press} />
      </div>
      {description === undefined ? null : (
        <p id={`${id}-about`} className={styles['about']}>
          {description}
        </p>
      )}
      {link === undefined ? null : <LinkForm draft={link} onEnd={endLink} />}
      {/* biome-ignore lint/a11y/useSemanticElements: no element of HTML edits formatted text */}
      <div
        id={id}
        ref={editor}
        className={styles['editor']}
        role="textbox"
        tabIndex={0}
        contentEditable
        suppressContentEditableWarning
        aria-multiline="true"
        aria-labelledby={`${id}-label`}
        aria-invalid={error !== undefined}
        aria-describedby={describedBy || undefined}
        dir="auto"
        onInput={read}
        onPaste={(event) => {
          event.preventDefault()
          insertPasted(event.currentTarget, event.clipboardData)
        }}
        onDrop={(event) => {
          event.preventDefault()
          insertPasted(event.currentTarget, event.dataTransfer)
        }}
      />
      {error === undefined ? null : (
        <p id={`${id}-error`} className={styles['error']}>
          {error}
        </p>
      )}
    </div>
  )
}

interface ToolbarProps {
  readonly controls: string
  readonly active: ReadonlySet<Format>
  readonly onPress: (format: Format) => void
}

/** The format buttons: one stop of the Tab key, arrow keys move between them. */
function Toolbar({ controls, active, onPress }: ToolbarProps) {
  const [current, setCurrent] = useState(0)
  const toolbar = useRef<HTMLDivElement>(null)

  function onKeyDown({ key, currentTarget }: KeyboardEvent<HTMLDivElement>): void {
    const isRtl = getComputedStyle(currentTarget).direction === 'rtl'
    const steps: Readonly<Record<string, number>> = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1 }
    const to = key === 'Home' ? 0 : key === 'End' ? buttons.length - 1 : current + (steps[key] ?? 0)
    const next = (to + buttons.length) % buttons.length
    if (next === current) return
    setCurrent(next)
    toolbar.current?.querySelectorAll('button')[next]?.focus()
  }

  return (
    <div
      ref={toolbar}
      className={styles['toolbar']}
      role="toolbar"
      aria-label="Format"
      aria-controls={controls}
      onKeyDown={onKeyDown}
    >
      {buttons.map(({ format, title, icon: Icon }, index) => (
        <ActionIcon
          key={format}
          size={24}
          variant={active.has(format) ? 'light' : 'subtle'}
          tabIndex={index === current ? 0 : -1}
          aria-label={title}
          aria-pressed={active.has(format)}
          title={title}
          // The selection of the editor must stay.
          onMouseDown={(event) => event.preventDefault()}
          onFocus={() => setCurrent(index)}
          onClick={() => onPress(format)}
        >
          <Icon size={14} aria-hidden />
        </ActionIcon>
      ))}
    </div>
  )
}

interface LinkFormProps {
  readonly draft: LinkDraft
  /** Undefined: cancelled; empty: the link is removed. */
  readonly onEnd: (href: string | undefined) => void
}

function LinkForm({ draft, onEnd }: LinkFormProps) {
  const [href, setHref] = useState(draft.href)
  const [isRefused, setRefused] = useState(false)
  const apply = () => (isAllowedLink(href) ? onEnd(href.trim()) : setRefused(true))
  return (
    <div className={styles['link']}>
      <TextInput
        label="Link address"
        autoFocus
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        value={href}
        onChange={({ currentTarget: { value } }) => setHref(value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter') {
            event.preventDefault()
            apply()
          }
          if (event.key === 'Escape') {
            event.stopPropagation()
            onEnd(undefined)
          }
        }}
        error={isRefused ? 'Must begin with https://, http://, mailto: or /.' : undefined}
      />
      <div className={styles['actions']}>
        <Button size="compact-sm" onClick={apply}>
          Apply
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onEnd('')}>
          Remove link
        </Button>
        <Button size="compact-sm" variant="default" onClick={() => onEnd(undefined)}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
