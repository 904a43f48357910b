// SPDX-License-Identifier: GPL-2.0-only
/* half() takes half of the time, quarter() and other() a quarter each; argument: seconds */
public class App {
	static int quarter(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 + i; return s; }
	static int half(int n) { int s = 0; for (int i = 0; i < 2 * n; i++) s = s * 31 + i; return s; }
	static int other(int n) { int s = 0; for (int i = 0; i < n; i++) s = s * 31 + i; return s; }
	static int run(int n) { return quarter(n) + half(n) + other(n); }
	public static void main(String[] args) {
		int sum = 0;
		long end = System.currentTimeMillis() + 1000L * Integer.parseInt(args[0]);
		while (System.currentTimeMillis() < end)
			sum += run(20000);
		System.out.println(sum != 1);
	}
}
