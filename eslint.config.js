/** Lint rules: strict types, no floating promises, no values spliced into SQL, small files. */
import tseslint from 'typescript-eslint'

const spliced = ['query', 'execute', 'command', 'insertStream'].map((name) => ({
  selector: `CallExpression[callee.property.name='${name}'] > TemplateLiteral:first-child[expressions.length>0]`,
  message: 'Values are bound as {name:Type}, never spliced into SQL.',
}))

export default tseslint.config(
  { ignores: ['node_modules/**', 'data/**', 'out/**', 'bench/**', 'eslint.config.js', '**/*.mjs'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      'max-lines': ['error', 300],
      'no-restricted-syntax': ['error', ...spliced],
      'no-console': 'error',
      eqeqeq: ['error', 'always', { null: 'ignore' }],
      'prefer-const': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/consistent-type-imports': ['error', { disallowTypeAnnotations: false }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_', caughtErrorsIgnorePattern: '^_' }],
      '@typescript-eslint/require-await': 'off',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Koa's next() is any; zod's and our own assertions narrow what the compiler cannot.
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-unnecessary-type-assertion': 'off',
      '@typescript-eslint/no-base-to-string': 'off',
      // Our objects of functions have no `this`.
      '@typescript-eslint/unbound-method': 'off',
    },
  },
  {
    // Tests read foreign JSON and make up statements; what they assert is checked when they run.
    files: ['test/**/*.ts', 'scripts/simulate/**/*.ts', 'scripts/bench/**/*.ts'],
    rules: {
      'no-restricted-syntax': 'off',
      'no-console': 'off',
      '@typescript-eslint/restrict-template-expressions': 'off',
      '@typescript-eslint/no-explicit-any': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
)
