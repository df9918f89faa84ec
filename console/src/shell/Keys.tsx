import styles from './Keys.module.css'

const modifier = /Mac|iPhone|iPad/.test(navigator.userAgent) ? '⌘' : 'Ctrl'

function nameOf(key: string): string {
  if (key === 'mod') return modifier
  return key.length === 1 ? key.toUpperCase() : key
}

/** A shortcut as key caps: `mod+k` pressed together, `g o` one after the other. */
export function Keys({ keys }: { keys: string }) {
  return (
    <span className={styles['keys']}>
      {keys.split(/([ +])/).map((key) => {
        if (key === '+') return null
        return key === ' ' ? <small key={key}>then</small> : <kbd key={key}>{nameOf(key)}</kbd>
      })}
    </span>
  )
}
