export async function collect<Item>(list: AsyncIterable<Item>) {
  const items: Item[] = []
  for await (const item of list) items.push(item)
  return items
}
