/** Adds an entry as the newest of the map. Beyond `most` entries, the oldest is dropped. */
export function keepNewest<Value>(map: Map<string, Value>, key: string, value: Value, most: number) {
  map.delete(key)
  map.set(key, value)
  if (map.size <= most) return
  for (const oldest of map.keys()) {
    map.delete(oldest)
    break
  }
}
