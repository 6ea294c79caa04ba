# shellcheck shell=bash
# The suites of .ci/suites, one function each. Shared by .ci/run --changed and .ci/nightly; `attempt` is theirs.

suite_real-times() {
  attempt 'Tests with the real time limits and sizes, on PostgreSQL 15' 1800 env REAL_TIMES=1 LONG_TESTS=1 "DATABASE_URL=$postgres_15_url" npm test
}

suite_postgres-18() {
  attempt 'Tests on the packaged PostgreSQL 18, where no other is installed' 1800 bash -c 'source .ci/postgres-15 && without_postgres npm test'
}

suite_fuzz() {
  attempt 'Fuzzer, 20,000 requests' 600 npm run fuzz -- --requests 20000
  attempt 'Fuzzer of tools, 20,000 bodies' 600 env MCP_BODIES=20000 npm test -- test/fuzz/mcp.test.ts
}

suite_cost() {
  attempt 'CPU and memory of the costliest requests' 600 npm test -- test/cost.ts
}

suite_tool-load() {
  attempt 'Hundreds of tool calls at once, with 512 MiB' 300 npm test -- test/tool-load.ts
}

suite_cluster() {
  attempt 'Faults on the cluster of deploy/ha' 1200 npm run faults -- primary-kill freeze switchover rolling-restart orders feed intruder restore total-loss --quick
}

suite_upgrade() {
  attempt 'Upgrade from 1.0.0 and back, installed, behind the balancer' 600 npm run faults -- upgrade --quick
  attempt 'Upgrade from 1.0.0 and back: search' 600 npm test -- test/upgrade.ts
}

suite_mirror() {
  attempt 'Faults: a mirror' 900 npm run faults -- mirror --quick
}

suite_time-faults() {
  attempt 'Faults that measure time' 600 npm run faults -- deliver-kill overload rate-limit greedy-address hostile --quick
}

suite_stores() {
  attempt 'Faults: one store of a process breaks' 300 npm run faults -- sandbox --quick
}

suite_fault-checks() {
  local broken
  for broken in sync etcd3 keys orders oversell feed feed-early deliver words places drain; do
    attempt "Faults: the checker finds what --break $broken does" 1200 npm run faults -- --break "$broken"
  done
}

suite_bench() {
  local scenario
  for scenario in throughput create-with-words selling own-writes memory import churn expiry feed webhooks sandbox search sales size; do
    attempt "Bench: $scenario, short" 600 npm run bench -- "$scenario" --quick
  done
}

suite_operations() {
  attempt 'docs/operations.md, on a clean Debian' 1800 npx node --test test/operations.ts
}

suite_image() {
  # This storage driver needs nothing of the kernel.
  attempt 'Image: build' 600 env STORAGE_DRIVER=vfs deploy/container/build
  attempt 'Image and systemd unit' 900 env STORAGE_DRIVER=vfs npx node --test --test-concurrency=1 --test-timeout=300000 --test-global-setup=test/support/global-setup.ts test/deploy/image.ts test/deploy/systemd.ts
}

suite_release() {
  attempt 'Release: build' 900 bash -c 'rm -rf .ci-release && STORAGE_DRIVER=vfs deploy/release .ci-release'
  attempt 'Release: built in another clone, it has the same bytes' 900 env STORAGE_DRIVER=vfs npx node --test test/deploy/release.ts
  attempt 'Release: docs/install.md, as a stranger' 900 env STORAGE_DRIVER=vfs npx node --test --test-global-setup=test/support/global-setup.ts test/deploy/install.ts
  attempt 'Client: install' 300 npm ci --prefix packages/client
  attempt 'Release: the client on Node 22, 24, 26 and in Chromium' 600 bash -c 'cd packages/client && CLIENT_TARBALL=$(realpath ../../.ci-release/petstore-client-*.tgz) ../../node_modules/.bin/node --test test/release.test.ts'
}

suite_docs() {
  attempt 'Commands of README, CONTRIBUTING and docs, in a fresh clone' 600 npm run test:docs
}

suite_examples() {
  attempt 'Client: install' 300 npm ci --prefix packages/client
  attempt 'Examples: curl, TypeScript, Python' 450 npx node --test --test-timeout=120000 test/examples.ts test/receivers.ts
}

suite_samples() {
  attempt 'Client: install' 300 npm ci --prefix packages/client
  attempt 'Samples of /docs: curl, TypeScript, Python, Go, fetch' 450 npx node --test --test-timeout=240000 test/samples.ts
}

suite_consumers() {
  attempt 'Integrators: install' 300 npm ci --prefix test/consumers
  attempt 'openapi.json, read by Python, Java and generators' 300 npx node --test --test-timeout=60000 test/consumers/document.ts
}

suite_pictures() {
  attempt 'Pictures of the console and the documentation page' 300 npx node test/pictures.ts --check
}

suite_alerts() {
  attempt 'Alerts: each is caused, and a real Prometheus must notice' 600 npx node --test test/observability/real-alerts.ts
}

# suites_changed BASE: those whose paths differ from that commit, a name a line.
suites_changed() {
  local suite paths -
  set -f # git expands them, also for files that are gone
  while read -r suite paths; do
    # shellcheck disable=SC2086 # one word for each path
    if ! git diff --quiet "$1" -- $paths || [ -n "$(git ls-files --others --exclude-standard -- $paths)" ]; then echo "$suite"; fi
  done < <(grep '^[a-z]' .ci/suites)
}
