import type { Category } from '@petstore/client'
import { categories } from '../api.ts'
import { formatCount } from '../format.ts'
import { useLive } from '../live.ts'
import { texts } from '../texts.ts'
import { Named } from '../ui/named.tsx'
import { Empty, Screen, Skeleton, Stale } from '../ui/screen.tsx'

const { categories: t } = texts

/** The categories that have a name, with how many pets they have. */
export function CategoriesScreen() {
  const live = useLive(
    (signal) => categories.list({ counts: true, signal }).page(),
    [],
    () => false,
  )
  const shown = live.data.value?.categories
  return (
    <Screen title={texts.frame.section.categories}>
      <Stale live={live} />
      {!shown && live.error.value === undefined && <Skeleton />}
      {shown?.length === 0 && <Empty title={t.none} />}
      {shown && shown.length > 0 && <CategoryTable rows={shown} />}
    </Screen>
  )
}

function CategoryTable({ rows }: { rows: readonly Category[] }) {
  return (
    <table class="categories">
      <thead>
        <tr>
          <th>{t.name}</th>
          <th class="figures">{t.available}</th>
          <th class="figures">{t.all}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, name, pets }) => (
          <tr key={String(id)}>
            <td>
              <Named name={name} id={id} path={`/pets?category=${id}`} />
            </td>
            <td class="figures">{pets && formatCount(pets.available)}</td>
            <td class="figures">{pets && formatCount(pets.available + pets.pending + pets.sold + pets.none)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
