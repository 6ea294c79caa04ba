-- An order names the key that placed it and the key that closed it. Null for orders of before; where an order expired, or an operator
-- cancelled it, no key has closed it.
alter table orders
  add column placed_by text collate "C",
  add column chain_id  text collate "C", -- the first key of the rotations that led to placed_by
  add column closed_by text collate "C";

-- How many orders a key and those it was rotated to may have open. Null: the default.
alter table api_keys
  add column open_orders integer,
  -- Not valid: nothing has to be read for it. No row of today has a limit.
  add constraint api_keys_open_orders check (open_orders > 0) not valid;
