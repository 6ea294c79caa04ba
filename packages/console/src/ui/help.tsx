import { texts } from '../later-texts.ts'
import { Dialog } from './dialog.tsx'
import { setSingleKeys, singleKeys } from './shortcuts.ts'

const { shortcuts: t } = texts

const KEYS: readonly (readonly [keys: readonly string[], what: string])[] = [
  [['Ctrl K', '⌘ K'], t.keys.palette],
  [['?'], t.keys.help],
  [['/'], t.keys.find],
  [['c'], t.keys.add],
  [['j', 'k', '↓', '↑'], t.keys.rows],
  [['Enter'], t.keys.open],
  [['x', 'Shift x'], t.keys.select],
  [['n', 'p'], t.keys.pages],
  [['Ctrl Z', '⌘ Z'], t.keys.undo],
  [['Esc'], t.keys.close],
]

export function Help({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title={texts.frame.shortcuts} onClose={onClose}>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={what}>
            <dt>
              {keys.map((name) => (
                <kbd key={name}>{name}</kbd>
              ))}
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
      <label class="check">
        <input
          type="checkbox"
          checked={singleKeys.value}
          aria-describedby="single-keys-hint"
          onChange={(event) => setSingleKeys(event.currentTarget.checked)}
        />
        {t.singleKeys}
      </label>
      <p class="hint" id="single-keys-hint">
        {t.singleKeysHint}
      </p>
    </Dialog>
  )
}
