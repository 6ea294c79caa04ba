import { addressOf } from '../lib/ids/store-address.ts'
import type { Store } from './store.ts'

/** The stores of a process. */
export class Stores<Each extends Pick<Store, 'address'> = Store> {
  readonly default: Each
  readonly #byAddress: ReadonlyMap<string, Each>

  constructor(stores: readonly [Each, ...Each[]]) {
    this.default = stores[0]
    this.#byAddress = new Map(stores.map((store) => [store.address, store]))
  }

  /** The store that alone may know this key. Without a sandbox, the default store has test keys too. */
  ofKey(text: string) {
    return this.at(addressOf(text)) ?? this.default
  }

  /** The store with this address, if there is one. The text may be any. */
  at(address: string) {
    return this.#byAddress.get(address)
  }

  get all() {
    return [...this.#byAddress.values()]
  }
}
