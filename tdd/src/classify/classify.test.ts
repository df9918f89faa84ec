import { expect, test } from 'vitest'
import { classify } from './classify.ts'
import type { FileClass } from './file-class.ts'

function classOf(path: string, packageName = '.'): FileClass {
  return classify({
    path: packageName === '.' ? path : `${packageName}/${path}`,
    package: packageName,
    pathInPackage: path,
  })
}

const examples: Readonly<Record<FileClass, string>> = {
  test: `
    src/cart.test.ts src/cart.spec.tsx login.cy.js shop.e2e.ts types.test-d.ts cart-test.js
    app.e2e-spec.ts src/__tests__/cart.ts test/cart.ts tests/helpers/db.ts spec/cart.js
    cypress/support/commands.ts playwright/login.ts src/__mocks__/fs.ts src/cart_test.ts test_cart.py
    shop/cart_test.py conftest.py shop/tests.py tests/cart.py cart_test.go shop/testdata/cart.go
    tests/cart.rs benches/cart.rs src/cart_tests.rs src/shop/tests.rs src/test/java/CartHelper.java
    CartTest.java CartTests.kt CartTestCase.java CheckoutIT.java CartSpec.scala CartSuite.scala
    app/src/androidTest/java/Cart.kt src/integrationTest/java/Cart.java TestCart.java tests/CartTest.php
    CartTest.php CheckoutCest.php cart.phpt spec/cart_spec.rb test/test_cart.rb cart_test.rb CartTests.cs
    CartTest.cs Shop.Tests/Cart.cs Shop.UnitTests/Cart.cs Tests/Cart.cs CartTests.swift
    ShopTests/Cart.swift Tests/ShopTests/Cart.swift cart_test.cpp cart_unittest.cc CartTest.cpp
    test_cart.c cart_test.dart integration_test/cart.dart test/cart_test.exs cart.bats cart_test.sh
    test_cart.sh cart_SUITE.erl t/cart.t CartSpec.hs cart_test.clj checkout.feature src/cart.snap
    src/cart.mock.ts fixtures/cart.json src/mocks/server.ts src/__snapshots__/cart.ts.snap
    login.fixture.ts
  `,
  neutral: `
    README.md docs/guide.mdx package.json tsconfig.json .github/workflows/ci.yml Cargo.toml
    vite.config.ts .eslintrc.cjs jest.setup.js types/api.d.ts src/env.d.mts LICENSE Makefile Dockerfile
    Dockerfile.dev data/prices.csv logo.svg setup.py go.mod build.gradle.kts pom.xml Button.stories.tsx
    .gitignore .env.local npm-debug.log main.tf Shop.csproj .opencode/plugins/tutti-tdd.js
    .claude/hooks/check.py .husky/pre-commit .githooks/commit-msg .storybook/preview.tsx
    tools/git-hooks/pre-push
  `,
  generated: `
    node_modules/left-pad/index.js packages/a/node_modules/b/c.ts vendor/lib.go dist/cart.js
    build/cart.js target/debug/cart.rs src/api.generated.ts cart.pb.go cart_pb2.py model.g.dart
    Form.Designer.cs app.min.js src/generated/client.ts __pycache__/cart.pyc yarn.lock
    zz_generated.deepcopy.go .next/server.js
  `,
  // Some of these names contain a word for tests without being tests.
  implementation: `
    src/cart.ts cart.py cmd/shop/main.go src/lib.rs src/main/java/Cart.java Cart.cs lib/cart.rb
    src/contest.ts latest.py src/inspector.ts Greatest.cs src/test.ts pkg/testutil/db.go
    src/attestation.ts src/specification.ts Contest.java Latest.kt LATEST.java CREDIT.java
    pkg/spec/parser.go protest.rb src/main/java/TestReport.java src/testing.ts src/build/compile.ts
    src/fastest.swift manifest.cpp app/templates/cart.html styles/cart.css bin/shop schema.sql
    shop.module main.zig unknown.xyz
  `,
}

for (const [kind, paths] of Object.entries(examples)) {
  test.each(paths.trim().split(/\s+/))(`%s is ${kind}`, (path) => {
    expect(classOf(path)).toBe(kind)
  })
}

test('a package that exists to test others contains only tests', () => {
  expect(classOf('src/login.ts', 'e2e')).toBe('test')
  expect(classOf('src/login.ts', 'apps/shop-e2e')).toBe('test')
  expect(classOf('src/login.ts', 'packages/contest')).toBe('implementation')
})

test('configured globs override name rules, but not generated files', () => {
  const rules = [
    { class: 'test' as const, pattern: /^qa\// },
    { class: 'implementation' as const, pattern: /^src\/spec\// },
    { class: 'neutral' as const, pattern: /\.css$/ },
  ]
  const ask = (path: string) => classify({ path, package: '.', pathInPackage: path }, { rules })
  expect(ask('qa/login.ts')).toBe('test')
  expect(ask('src/spec/openapi.ts')).toBe('implementation')
  expect(ask('styles/a.css')).toBe('neutral')
  expect(ask('node_modules/x/a.css')).toBe('generated')
})

const classIn = (framework: string, path: string) =>
  classify({ path, package: '.', pathInPackage: path }, { framework })

test('a framework adds its own rules', () => {
  expect(classIn('django', 'shop/migrations/0001_initial.py')).toBe('generated')
  expect(classIn('Django', 'shop/models.py')).toBe('implementation')
  expect(classIn('rails', 'db/schema.rb')).toBe('generated')
  expect(classIn('Next.js', 'next-env.d.ts')).toBe('generated')
  expect(classIn('drupal', 'web/sites/default/settings.php')).toBe('neutral')
  expect(classIn('constructor', 'src/cart.ts')).toBe('implementation')
})
