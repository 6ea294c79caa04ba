import type { Category } from '@petstore/client'
import { useState } from 'preact/hooks'
import { categories, explain, hasCode, isUncertain } from '../api.ts'
import { petsOf, refreshCategories, sum } from '../category-names.ts'
import { noEvent, useLive, usePolling } from '../live.ts'
import { texts } from '../manage-texts.ts'
import { can } from '../session.ts'
import { Confirm } from '../ui/dialog.tsx'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { Named } from '../ui/named.tsx'
import { Empty, Screen, Stale } from '../ui/screen.tsx'
import { notify } from '../ui/toast.tsx'
import { CategoryForm, readCategory } from './categories-form.tsx'

const { categories: t } = texts
/** Names and counts come without events. */
const REFRESH_MS = 30_000
/** Ten requests. */
const MOST = 200

type Overlay = { is: 'add' } | { is: 'rename' | 'remove'; category: Category }

async function load(signal: AbortSignal) {
  const found: Category[] = []
  for await (const category of categories.list({ counts: true, signal })) if (found.push(category) === MOST) break
  return found
}

/** The categories that have a name, with how many pets they have. */
export function CategoriesScreen() {
  const live = useLive(load, [], noEvent)
  usePolling(live, REFRESH_MS)
  const [overlay, setOverlay] = useState<Overlay>()
  const shown = live.data.value
  const close = () => setOverlay(undefined)
  const changed = async () => {
    await live.refresh()
    await refreshCategories()
  }
  const saved = (text: string) => {
    close()
    notify(text)
    void changed()
  }
  const remove = async ({ id, name, version }: Category) => {
    close()
    try {
      await categories.delete(id, { ifMatch: version })
      notify(t.removed(name))
    } catch (error) {
      const isChanged = hasCode(error, 'version_mismatch')
      const isGone = isUncertain(error) && (await readCategory(id).catch(() => true)) === undefined
      if (isGone) notify(t.removed(name))
      else notify(isChanged ? t.notRemoved(name) : explain(error, { withRequestId: true }), { isError: true })
    }
    await changed()
  }
  const addButton = can('categories:write') && (
    <button type="button" class="primary" onClick={() => setOverlay({ is: 'add' })}>
      <Icon of="plus" />
      {t.add}
    </button>
  )
  return (
    <Screen title={texts.frame.section.categories} actions={shown && shown.length > 0 && addButton}>
      <Stale live={live} rows={8} />
      {shown?.length === 0 && (
        <Empty title={t.none} text={t.noneHint}>
          {addButton}
        </Empty>
      )}
      {shown && shown.length > 0 && <CategoryTable rows={shown} onChange={setOverlay} />}
      {shown?.length === MOST && <p class="notice">{texts.common.cut(MOST)}</p>}
      {overlay && overlay.is !== 'remove' && (
        <CategoryForm
          category={overlay.is === 'rename' ? overlay.category : undefined}
          known={shown ?? []}
          onSaved={saved}
          onClose={close}
        />
      )}
      {overlay?.is === 'remove' && (
        <Confirm
          title={t.removeTitle(overlay.category.name)}
          text={t.removeText(overlay.category.id, petsOf(overlay.category) ?? '')}
          action={t.removeAction}
          keep={t.keep}
          onConfirm={() => void remove(overlay.category)}
          onClose={close}
        />
      )}
    </Screen>
  )
}

function CategoryTable({ rows, onChange }: { rows: readonly Category[]; onChange: (overlay: Overlay) => void }) {
  const mayChange = can('categories:write')
  return (
    <table class="categories">
      <thead>
        <tr>
          <th>{t.name}</th>
          <th class="figures">{t.available}</th>
          <th class="figures">{t.all}</th>
          {mayChange && (
            <th class="row-menu">
              <span class="hidden">{texts.common.more}</span>
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {rows.map((category) => (
          <tr key={String(category.id)}>
            <td>
              <Named
                name={category.name}
                id={category.id}
                path={`/pets?category=${category.id}`}
                number={texts.common.unnamedCategory(category.id)}
              />
            </td>
            <td class="figures">{category.pets && sum(category.pets.available)}</td>
            <td class="figures">{petsOf(category)}</td>
            {mayChange && (
              <td class="row-menu">
                <Menu
                  label={t.actions(category.name)}
                  items={[
                    { label: t.rename, run: () => onChange({ is: 'rename', category }) },
                    { label: t.remove, isDanger: true, run: () => onChange({ is: 'remove', category }) },
                  ]}
                />
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
